"""An answer from the handbook, checked against what was looked up for it in this very turn."""

import re
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator, model_validator

_NUMBER = re.compile(r"H\d{2,4}")


class HandbookAnswer(BaseModel):
    """What the handbook says about a question.

    Validate with context `{"retrieved": ids of this turn, "tool_answered": bool}`; without it nothing may be cited.
    Raises ValidationError: found without citation (unless a tool answered) or without text, a citation where
    nothing was found, a citation that was not retrieved.

    Attributes:
        answer: plain text, Traditional Chinese; may be empty when nothing was found.
        citations: numbers of passages, e.g. ("H07",), each once.
    """

    model_config = ConfigDict(frozen=True)
    found: bool
    answer: str = ""
    citations: tuple[str, ...] = ()

    @field_validator("citations", mode="before")
    @classmethod
    def _numbers(cls, value: object) -> object:
        """Models write "H01", "[H01]" or 「第1條」: numbers are taken out, what is no number is left out."""
        parts = [value] if isinstance(value, str) else value
        if not isinstance(parts, list | tuple):
            return value
        return tuple(dict.fromkeys(number for part in parts for number in _NUMBER.findall(str(part))))

    @model_validator(mode="after")
    def _grounded(self, info: ValidationInfo) -> Self:
        context = info.context or {}
        unknown = set(self.citations) - set(context.get("retrieved", ()))
        if unknown:
            raise ValueError("引用了沒有提供的條文")
        if not self.found and self.citations:
            raise ValueError("沒有找到就不能引用")
        if self.found and not self.answer.strip():
            raise ValueError("找到了就要有回答")
        if self.found and not self.citations and not context.get("tool_answered"):
            raise ValueError("找到了就要引用條文")
        return self
