"""Clock times, parts of the day, lengths, and the words that join them."""


from module.understand.clock import Clock, Edge, Length, at_clock, edge_minutes, hours
from module.understand.numbers import NUMBER, number
from module.understand.rule import Rule, just

N = NUMBER
H = r"(?P<h>(?<!\d)\d{1,2}|二?十[一二三四五六七八九]?|[〇零一二兩三四五六七八九])"
MIN = r"(?P<m>\d{1,2}|[二三四五]?十[一二三四五六七八九]?|[〇零]?[一二三四五六七八九])"
BARE = r"(?P<m>[0-5]\d|[二三四五]?十[一二三四五六七八九]?|[〇零][一二三四五六七八九])"
HOURS = r"(?:\s?個?(?:小時|鐘頭|鐘點)|\s?hours?|\s?hrs?|\s?h)"


CLOCKS: tuple[Rule, ...] = (
    Rule("clock colon", "clock", r"(?<![\d:/])(?P<h>\d{1,2}):(?P<m>\d{2})(?::\d{2})?(?![\d:])", at_clock),
    Rule("clock 點", "clock", rf"{H}\s?[點時](?:整|鐘)?(?!間|段|數|候)", at_clock),
    Rule("clock 點 with minutes", "clock", rf"{H}\s?[點時]{MIN}分(?!鐘)", at_clock),
    Rule("clock 點 with bare minutes", "clock", rf"{H}\s?[點時]{BARE}(?![\d個小天點月日號:/分])", at_clock),
    Rule("clock half", "clock", rf"{H}\s?[點時]半(?!天)", lambda m: Clock(number(m["h"]) or 0, 30)),
    Rule("clock quarter", "clock", rf"{H}\s?[點時]一刻", lambda m: Clock(number(m["h"]) or 0, 15)),
    Rule("clock three quarters", "clock", rf"{H}\s?[點時]三刻", lambda m: Clock(number(m["h"]) or 0, 45)),
    Rule("clock four digits", "clock", r"(?<![\d/.:-])(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?![\d/.:年號日月])", lambda m: Clock(int(m["h"]), int(m["m"]), literal=True)),
    Rule("clock four digits after joiner", "clock", r"(?<=[-~到至])(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?![\d/.:年號日月])", lambda m: Clock(int(m["h"]), int(m["m"]), literal=True)),
    Rule("clock am pm", "clock", r"(?<![\d:/])(?P<h>\d{1,2})(?::(?P<m>\d{2}))?\s?(?P<p>am|pm|a\.m\.|p\.m\.)(?![a-z])", at_clock),
    Rule("am pm clock", "clock", r"(?<![a-z])(?P<p>am|pm)\s?(?P<h>\d{1,2})(?::(?P<m>\d{2}))?(?!\d)", at_clock),
    Rule("hour before a joiner", "bare", r"(?<![\d/.:月-])(?P<h>\d{1,2}|十[一二]?|[一二兩三四五六七八九])(?=\s?[-~到至]\s?(?:\d{1,2}|十[一二]?|[一二兩三四五六七八九])(?::\d\d|[點時]|\s?(?:am|pm)))", lambda m: number(m["h"])),
    Rule("number after a joiner", "bare", r"(?<=[-~到至])\s?(?P<h>\d{1,2})(?![\d點時:/.月%小個天人分號日])", lambda m: number(m["h"])),
    Rule("noon", "noon", r"中午|正午|(?<![a-z])noon(?![a-z])", just(720)),
    Rule("right now", "point", r"(?<=從)現在|現在(?=開始|起|到|就|要先|想先|想請|要請|先走|請假|離開|下班)", just("now")),
    Rule("closing time", "point", r"(?<=[到至~-])下班(?:時間|為止|時)?", just("closing")),
    Rule("noon onwards", "part", r"中午(?:以後|之後|過後|後)|午後|飯後", just("pm")),
    Rule("morning", "part", r"早上|上午|早晨|清晨|(?<![週期拜])一早|(?<=[今明昨])早|(?<![a-z])am(?![a-z])|(?<![a-z])morning(?![a-z])|早班", just("am")),
    Rule("morning half", "part", r"上半天|(?:早上|上午)(?:的)?半(?:天|日)|半天(?:早上|上午)|上半日|前半天", just("am")),
    Rule("afternoon", "part", r"下午|午後|(?<![a-z])pm(?![a-z])|(?<![a-z])afternoon(?![a-z])|(?<=[今明昨])午(?=後)", just("pm")),
    Rule("afternoon half", "part", r"下半天|下午(?:的)?半(?:天|日)|半天下午|下半日|後半天", just("pm")),
    Rule("evening", "part", r"晚上|傍晚|夜裡|夜間|半夜|深夜|(?<=[今明昨後])晚|(?<![a-z])evening(?![a-z])|(?<![a-z])tonight(?![a-z])", just("evening")),
    Rule("before dawn", "part", r"凌晨|清早", just("dawn")),
    Rule("whole day", "whole", r"整天|全天|一整天|整日|全日|一天|1天|一日|(?<![a-z])all day(?![a-z])|(?<![a-z])full day(?![a-z])|(?<![a-z])whole day(?![a-z])|(?<![a-z])one day(?![a-z])|(?<![a-z])a day(?![a-z])", just(True)),
    Rule("half day", "half", r"半天|半日|半個工作天|(?<![a-z])half[ -]?(?:a )?day(?![a-z])|0\.5天", just(True)),
)

LENGTHS: tuple[Rule, ...] = (
    Rule("hours", "length", rf"(?P<n>{N})(?P<half>個半)?{HOURS}(?!前|後|以)", hours),
    Rule("hours and a half", "length", rf"(?P<n>{N})(?:個)?(?:小時|鐘頭)(?P<half>半)", hours),
    Rule("decimal hours", "length", rf"(?P<n>\d{{1,2}})\.5{HOURS}", lambda m: Length(minutes=int(m["n"]) * 60 + 30)),
    Rule("half an hour", "length", r"半個?(?:小時|鐘頭)", just(Length(minutes=30))),
    Rule("minutes", "length", rf"(?P<n>{N})\s?(?:分鐘|minutes?|mins?)(?!車程|路程)", lambda m: Length(minutes=number(m["n"]) or 0)),
    Rule("days", "length", rf"(?<![第/月\d])(?:整整|連續|連)?(?P<n>{N})(?:個)?(?:工作天|工作日|天|日|\s?(?:working )?days?(?![a-z]))(?!前|後|以|之|喪)", lambda m: Length(days=number(m["n"]) or 0)),
)

EDGES: tuple[Rule, ...] = (
    Rule("leaving early", "edge", rf"(?:提早|提前|早)(?P<n>{N}|半)(?P<half>個半)?個?(?:小時|鐘頭)(?:下班|走|離開|離席|回家)", lambda m: Edge("early", edge_minutes(m))),
    Rule("早退", "edge", rf"早退\s?(?P<n>{N}|半)(?P<half>個半)?個?(?:小時|鐘頭)", lambda m: Edge("early", edge_minutes(m))),
    Rule("arriving late", "edge", rf"(?:晚|遲|延後)(?P<n>{N}|半)(?P<half>個半)?個?(?:小時|鐘頭)(?:才)?(?:到|進|上班|來)(?:公司|辦公室)?", lambda m: Edge("late", edge_minutes(m))),
    Rule("晚到", "edge", rf"(?:晚到|遲到|晚進|晚來)\s?(?P<n>{N}|半)(?P<half>個半)?個?(?:小時|鐘頭)", lambda m: Edge("late", edge_minutes(m))),
)

JOINS: tuple[Rule, ...] = (
    Rule("until", "join", r"結束(?:時間|日期)|迄日|迄時|(?:一直)?(?:請|休|放)?到|至(?!少|於|今|多)|~|(?<=[\d點時分號日半])\s?-\s?|(?<=[一二三四五六日天午m])\s?-\s?(?=[\d下週星禮明後am])|(?<![a-z])to(?![a-z])|(?<![a-z])until(?![a-z])|(?<![a-z])through(?![a-z])", just("to")),
    Rule("and", "join", r"跟|和|與|、|及|還有|以及|&|(?<![a-z])and(?![a-z])", just("and")),
    Rule("or", "join", r"或者?是?|還是(?=\d|週|下|明|後|星)|擇一|(?<![a-z])or(?![a-z])", just("or")),
    Rule("from then on", "open_end", r"(?:以後|之後|過後|後(?!天)|起(?!來|床|補|碼))|開始|(?:就|要|得|想|會|必須){0,2}(?:先|提早|提前)?(?:走(?!路|到|去|過|訪|私|味|秀|勢|了)|離開(?:公司|辦公室)?|下班(?!後|前|時|回))", just(True)),
    Rule("leaving early at", "early", r"(?:要|想|會|得){0,2}(?:早退|(?:提早|提前|早點)(?:走|離開|下班|回家))", just(True)),
    Rule("at work until", "early", r"(?:上班|上|做|忙|待|工作)到(?=[\d一二兩三四五六七八九十下中上])", just(True)),
    Rule("arriving late at", "late", r"(?:要|想|會|得){0,2}(?:晚到|遲到|晚進(?:公司)?|(?:晚一?點|比較晚|晚些)(?:才)?(?:到|進|來|上班)(?:公司|辦公室)?)", just(True)),
    Rule("before then", "open_start", r"才會?能?(?:到|進|來|上班)|以前|之前|前(?!天|往|年)|再進公司|才進得?", just(True)),
)


TIMES: tuple[Rule, ...] = (*CLOCKS, *LENGTHS, *EDGES, *JOINS)
