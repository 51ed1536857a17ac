"""How a substitute is named (SEMANTICS §6)."""

import re

_CUE = r"(?:職務代理人?|代理人|代裡人|代理(?!人)|職代|代班人?|agent|substitute|deputy)"
_TO = r"(?:還是|就|一樣|請|要|也|改成|改為|改由|改找|改請|改|換成|換為|換|應該是|而是|是|由|找|為|給|用|:|指定|麻煩|\s|\0|,(?=是))"
_STOP = r"\s\0,。;!?、|()\"「」『』:"
TAIL = re.compile(r"(?:就好了?|好了|好嗎|代理|代班|來代|代|幫忙|吧|喔|哦|謝謝|了|那位|這位|可以嗎|才對|即可|幫我|就行|就可以|cover|啦|囉)+$")
NAMED = re.compile(rf"{_CUE}{_TO}{{0,6}}(?P<name>[^{_STOP}]{{1,12}}(?: [a-z]{{2,12}})?)")
EMPTY = re.compile(rf"{_CUE}{_TO}{{0,4}}(?=[{_STOP}]|$)")
BY = (
    re.compile(rf"(?:請|由|找|麻煩|拜託|換|給|讓|改)(?P<name>[^{_STOP}請由找要休]{{1,10}}?)(?:\s)?(?:幫忙|幫我|來|幫|當)?\s?(?:代理人?|代班|代|cover|頂一下|職代)(?!表|購|替|碼|辦|墊|價)"),
    re.compile(rf"(?P<name>[^{_STOP}]{{1,10}}?)\s?(?:will |can |to |會|可以|幫忙|幫我)\s?(?:cover|代理|代班|代)(?!表|購|替|碼|辦|墊)"),
    re.compile(r"(?P<name>[a-z]{2,12}|[\u4e00-\u9fff]{2,4})\s?cover"),
    re.compile(rf"(?P<name>[^{_STOP}]{{1,8}}?)\s?(?:代理|代班)(?!人|商|表)"),
    re.compile(r"cover(?:ed)? by (?P<name>[a-z]{2,12})"),
)
ANOTHER = re.compile(rf"(?:{_CUE}.{{0,3}}(?:換人|換一個|換別人|換一位|改別人|找別人|換其他人|換掉)|換(?:一個|個|別的)代理人|(?:換人|換一個|換別人)代)")
NO_AGENT = re.compile(rf"(?:不用|不需要|不要|取消|免|沒有|拿掉|刪掉){_CUE}")
ANSWER = re.compile(rf"^[\s\0]*(?:那|就|改|請|找|換|由|給|是|用|還是|我要|選)*(?P<name>[^{_STOP}]{{1,12}}(?: [a-z]{{2,12}})?)[\s\0。!.,]*$")
