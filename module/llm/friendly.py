"""One sentence in the model's own words before the fixed text, checked by code: it claims nothing and adds no fact."""

import re
import unicodedata
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator

from module.llm.port import Llm
from module.llm.structured import ask
from module.llm.text import json_object, marked, neutralised

LONGEST = 80
_CLAIMS = re.compile(r"成功|已[經送為幫代]|送出了|送件|核准|批准|准假|完成|搞定|辦好|生效|WF|https?:|www\.", re.IGNORECASE)
_MARKS = re.compile(r"[<>{}\[\]`|*_#\\\n]")
_NUMBER = re.compile(r"\d+(?:[/:.-]\d+)*")
_FACT = re.compile(
    r"(?:週|周|星期|禮拜)[一二三四五六日天]|[今明後昨前]天|大後天|下午|上午|[一二三四五六七八九十兩半]+(?:天|小時|點|號|月)"
    r"|(?:特休|事|病|婚|喪|產檢|陪產|公|補休|家庭照顧|生理|年)假"
)
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


class Friendly(BaseModel):
    """A sentence. Validate with context `{"facts": text}`: every number, day and type in it must stand there."""

    model_config = ConfigDict(frozen=True)
    text: str

    @field_validator("text")
    @classmethod
    def _harmless(cls, text: str, info: ValidationInfo) -> str:
        said, facts = neutralised(text).strip(), neutralised(str((info.context or {}).get("facts", "")))
        if not 4 <= len(said) <= LONGEST or len(re.findall(r"[\u4e00-\u9fff]", said)) * 2 < len(said):
            raise ValueError("要一句正體中文，四到八十個字")
        if _CLAIMS.search(said) or _MARKS.search(said) or unicodedata.normalize("NFKC", text).strip() != said:
            raise ValueError("不能說已經做了什麼，也不能有記號")
        if _invents(said, facts):
            raise ValueError("有資料裡沒有的日期、數字或假別")
        return text.strip()


def _invents(said: str, facts: str) -> bool:
    """Whether a number, day or type is said that the facts do not hold."""
    known = facts.replace("-", "/")
    numbers = (re.escape(number.replace("-", "/")) for number in _NUMBER.findall(said))
    unknown = any(not re.search(rf"(?<!\d){number}(?!\d)", known) for number in numbers)
    return unknown or any(fact not in facts for fact in _FACT.findall(said))


async def sentence(llm: Llm, facts: str, deadline: float) -> str:
    """The sentence for a reply; empty when the model has none that may be said. Raises nothing of ours."""
    system = files("module.words").joinpath("prompts", "friendly.txt").read_text(encoding="utf-8")
    told = await ask(llm, system, marked(facts), Friendly, {"facts": facts}, schema=SCHEMA, read=json_object, deadline=deadline)
    return told.text if told else ""
