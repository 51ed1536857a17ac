"""The reason (memo): what was given as one, or what is left once everything else is taken out (SEMANTICS §7)."""

import re
from dataclasses import dataclass

from module.understand.message import Message

LIMIT = 200
_CUT = re.compile(r"所以|想請|要請|想休|需要請|我要請|請假|想要請")
STATED = (
    re.compile(r"(?:請假)?(?:事由|理由|原因|memo|備註|reason)\s*(?:要)?(?:就)?(?:改成|改為|換成|換為|應該是|寫成|是|為|改|寫|填|:)+\s*[「\"]?(?P<r>[^。;!?\n|」\"]{1,400})"),
    re.compile(r"(?:因為|由於|because(?: of)?)\s*(?P<r>[^。;!?\n|]{1,400})"),
)
_NEXT_FIELD = re.compile(r",\s*(?=(?:代理|職代|職務代理|假別|時間|日期|請\S{1,4}代|找\S{1,8}(?:代|cover)|我?想?要?請|想請|想休|用特休|請假|謝謝|麻煩|\d{1,2}/\d|下週|明天|後天|另外))")
DROP = re.compile(r"(?:取消|不用|不要|刪掉|拿掉|不填)(?:填|寫)?(?:事由|理由|原因|memo)")
_PREFIX = re.compile(
    r"^(?:[\s\0,、:;()~+.\-_/\"'|]|所以|然後|那天|那|就|也|都|還|再|先|我們|我|想要|想|需要|要(?!師|師傅|錢|命)|得|會|打算|準備|因為|由於|due to|because|因|用來|用|排|補登|補單|補一張|補|登|請問|請幫我|幫我|麻煩|請假|請|休(?!息|養)|放假|放|"
    r"一下|一次|一張|一個|個|張|的|是|為|到|從|在(?=[\s\0]*$)|可以|可否|能不能|hi|hello|dear|您好|你好|哈囉|嗨|主管|老闆|for|to|by|on|off|i|want|need|would|like|take|please|a|my|leave|and|with|be|at|the|from|改成|改為|改|換成|換|自己|時間|日期|假別|共|總共|連續|連|整個|以及|和|跟(?=[\s\0]*$)|或)"
)
_SUFFIX = re.compile(
    r"(?:[\s\0,、:;()~+.\-_/\"'|!?。…]|請假|請|休假|休|放假|假|一下|謝謝|感謝|感恩|麻煩|拜託|喔|啦|吧|了|哦|唷|耶|欸|呢|囉|的話|的|想要|想|需要|要|所以|忘記登|忘了登|忘記請|忘了請|忘記|忘了|沒進公司|沒上班|沒來上班|沒來|沒到|沒進|"
    r"想|就好|好了|即可|就可以|先|都|也|會|和|跟|及|到|從|請幫忙|幫我|thanks|thank you|please|才對|不|請一|補|在家(?=[\s\0]*$)|那天|了|因為|由於)$"
)
_FILLER = re.compile(
    r"^(?:沒來上班|沒上班|沒進公司|沒來|沒進|忘了?請|忘了?送單?|但忘了?送單?|但|送單|忘記送|有休|有請|有|了|送出|整|天|日|號|起|迄|時間|開始|結束|下班|上班|到|才|就|走|離開|一|半|謝謝|感謝|麻煩|拜託|好|嗯|喔|哈+|呵+|嘿+|啊|呃|額|喂|蛤|嗯+|對|不是|是|那|這|我|說錯|我說錯|更正|應該|不對|還是|"
    r"下|上|中|前|後|小時|分鐘|個|共|總共|擇|皆可|任|可以|不行|改|換|這樣|這張|假單|單子|表單|申請|提出|要|想|本|今|明|hr|eip|leave|day|days|off|half|the|of|next|this|please|thanks|主旨|附件|全部|一起|單|主管|各位|大家|補|假|請|休|或|及|與|和|跟|的|為|在|於|從|由|給|喔喔|順便|另外|對了|然後|以上|如下|下面|上面|謝謝大家|辛苦了|時|段|多|少|再|跑)$"
)


@dataclass(frozen=True)
class Stated:
    """A reason given as such."""

    text: str | None = None


def stated(message: Message) -> Stated:
    """因為…, 事由:…: up to the end of the sentence, or to the next field."""
    for pattern in STATED:
        match = pattern.search(message.masked)
        if not match:
            continue
        start, end = match.span("r")
        body = message.masked[start:end]
        if cut := _NEXT_FIELD.search(body):
            end = start + cut.start()
        elif (cut := _CUT.search(body)) and cut.start() > 1:
            end = start + cut.start()
        text = tidy(message.text[start:end])
        if text:
            message.take("memo", text, match.start(), end, "reason stated")
            return Stated(text)
    return Stated()


def dropped_fields(message: Message) -> tuple[str, ...]:
    """取消事由."""
    match = DROP.search(message.masked)
    if match:
        message.mask(*match.span())
        return ("memo",)
    return ()


def tidy(text: str) -> str:
    """The reason without politeness, emoji and punctuation at its ends, at most LIMIT characters."""
    previous = None
    while previous != text:
        previous = text
        text = re.sub(r"^(?:[\s,、:;。!?~|]|因為|由於|因)+|(?:[\s,、:;。!?~…|]|謝謝你?|感謝|感恩|麻煩了?|拜託|喔|啦|唷|\^_\^|:\))+$", "", text)
        text = re.sub(r"^[\U0001F000-\U0001FAFF\u2600-\u27BF\ufe0f]+|[\U0001F000-\U0001FAFF\u2600-\u27BF\ufe0f\u200d]+$", "", text)
    return text


def remaining(message: Message, low: int, high: int) -> str | None:
    """The reason in what no reader took, between two places; its pieces joined in order."""
    pieces = []
    for match in re.finditer(r"[^\0,。;!?\n|]{1,400}", message.masked[low:high]):
        start, end = _trim(message.masked, low + match.start(), low + match.end())
        piece = message.text[start:end]
        folded = message.masked[start:end]
        if len(folded) < 2 or _FILLER.match(folded) or not re.search(r"[\u3400-\u9fffa-z]", folded):
            continue
        if folded.isascii() and len(folded) < 4:
            continue
        pieces.append(tidy(piece))
    text = ",".join(filter(None, pieces)).replace(",", "，")
    return text or None


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    for _ in range(12):
        match = _PREFIX.match(text[start:end])
        if not match or match.end() == 0:
            break
        start += match.end()
    for _ in range(12):
        match = _SUFFIX.search(text[start:end])
        if not match:
            break
        end = start + match.start()
    return start, end


def leftover(message: Message) -> str:
    """Words that no reader took."""
    return remaining(message, 0, len(message.masked)) or ""
