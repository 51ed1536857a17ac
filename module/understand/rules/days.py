"""Days. Text is folded (module/understand/normalise): Traditional, lower case, 周 = 週."""

from module.understand.days import (
    WEEKDAYS,
    Day,
    counted,
    offset,
    on_date,
    on_nth_weekday,
    on_nth_workday,
    on_weekday,
    week_offset,
)
from module.understand.numbers import NUMBER, number
from module.understand.rule import Rule, Rules, just

N = NUMBER
WEEK = r"(?:週|星期|禮拜)"
THIS = r"(?:這個?|本|下下個?|下個?|上上個?|上個?)"
Y = r"(?P<y>\d{4}|[〇零一二三四五六七八九]{4})"
M = r"(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
BIG_M = r"(?P<m>\d{1,2}|十[一二]?|[一二三四五六七八九])"
D = r"(?P<d>\d{1,2}|[一二三]?十[一二三四五六七八九]?|[廿卅][一二三四五六七八九]?|[一二三四五六七八九])"
NAMES = {
    "元旦": "元旦", "新年": "元旦", "春節": "春節", "大年初一": "春節", "過年": "春節", "除夕": "除夕", "小年夜": "小年夜",
    "元宵節?": "元宵", "和平紀念日": "和平紀念日", "二二八": "和平紀念日", "228": "和平紀念日", "婦女節": "婦女節",
    "清明節?": "清明", "兒童節": "兒童節", "勞動節": "勞動節", "端午節?": "端午", "七夕": "七夕", "中元節?": "中元",
    "中秋節?": "中秋", "教師節": "教師節", "雙十節?|國慶日?": "國慶", "重陽節?": "重陽", "光復節": "光復節",
    "萬聖節": "萬聖節", "平安夜": "平安夜", "聖誕節?|耶誕節?|行憲紀念日": "聖誕節", "跨年": "跨年", "情人節": "情人節",
    "父親節": "父親節", "christmas eve": "平安夜", "christmas": "聖誕節",
}  # fmt: skip
LONG = ("元旦", "跨年", "春節", "過年", "農曆年", "228", "二二八", "清明", "兒童節", "端午", "中秋", "雙十", "國慶", "勞動節")
YEARS = {"今年": 0, "明年": 1, "後年": 2, "去年": -1}
MONTHS = {name: n for n, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1)}
NOT_A_NUMBER = r"(?<![\d/.年])"

DAYS: tuple[Rule, ...] = (
    Rule("today", "day", r"今天|今日|本日|當天|今(?=早|晚|午|夜)|(?<![a-z])today(?![a-z])", offset(0)),
    Rule("tomorrow", "day", r"明天|明日|明(?=早|晚|午)|(?<![a-z])tomorrow(?![a-z])|(?<![a-z])tmr(?![a-z])", offset(1)),
    Rule("day after tomorrow", "day", r"後天|後日", offset(2)),
    Rule("three days on", "day", r"大後天", offset(3)),
    Rule("yesterday", "day", r"昨天|昨日|昨(?=早|晚)|(?<![a-z])yesterday(?![a-z])", offset(-1)),
    Rule("day before yesterday", "day", r"前天|前日", offset(-2)),
    Rule("three days back", "day", r"大前天", offset(-3)),
    Rule("next day", "day", r"隔天|翌日|第二天|隔日|次日|後一天", just(Day("next", n=1))),
    Rule("days before that", "day", r"前(?P<n>[兩二三四五])(?:天|日)(?!請|就)", lambda m: Day("next", n=-(number(m["n"]) or 0))),
    Rule("days before a named day", "day", r"(?<=[夕節旦日號明午秋\d])前(?P<n>[兩二三四五])(?:天|日)", lambda m: Day("next", n=-(number(m["n"]) or 0))),
    Rule("days after that", "day", r"後(?P<n>[兩二三四五])(?:天|日)(?!請|就)", lambda m: Day("next", n=number(m["n"]) or 0)),
    Rule("tomorrow and the day after", "day", r"明後(?:兩)?天|明天後天兩天", just(Day("run", n=1, week=1))),
    Rule("today and tomorrow", "day", r"今明(?:兩)?天", just(Day("run", n=0, week=1))),
    Rule("weekday after a joiner", "day", r"(?<=[一二三四五六][-~到至、跟和及])(?P<d>[一二三四五六日])(?=[\0請休特事病補年都的,。\s]|$)", lambda m: Day("weekday", n=WEEKDAYS[m["d"]])),
    Rule("weekday in a run", "day", r"(?:(?<=[週拜期][一二三四五])|(?<=[週拜期][一二三四五][二三四五六])|(?<=[週拜期][一二三四五][二三四五六][三四五六]))(?P<d>[二三四五六日])(?=[二三四五六日]{0,3}(?:[\0請休特事病補年婚喪公都的想要我全整上下早晚代可,。、\s]|$))", lambda m: Day("weekday", n=WEEKDAYS[m["d"]], name="on")),
    Rule("day in a list", "day", r"(?<=\d[、,和跟及])(?P<d>3[01]|[12]\d|[1-9])(?:號|日)?(?=[請休特事病補年婚喪公都的想要我、\0]|$|,\s?(?:\d{1,2}(?:[號日請休特、,]|$)|請|想|特休))(?![月/])", lambda m: Day("dom", day=number(m["d"]), name="on")),
    Rule("weekday of a month", "day", rf"(?:(?:{BIG_M}月份?|(?P<mw>這個月|本月|下下個月|下個月|下月|上個月))的?)(?:第(?P<n>[一二三四五1-5])|最後一?)個?{WEEK}(?P<d>[一二三四五六日天])", on_nth_weekday),
    Rule("working day of a month", "day", rf"(?:(?:{BIG_M}月份?|(?P<mw>這個月|本月|下下個月|下個月|下月|上個月))的?)(?:第(?P<n>[一二三四五六七八九十1-9]))個?(?:工作天|工作日|上班日)", on_nth_workday),
    Rule("after a long weekend", "day", rf"(?:明年|今年)?(?P<name>{'|'.join(LONG)})?連(?:續)?假(?:結束|放完)?(?:之?後)?(?:的)?(?:隔天|(?:之後|後)(?:的)?(?:第)?一(?:天|個(?:上班|工作)[天日])|第一個(?:上班|工作)[天日])", lambda m: Day("longweekend", name=m["name"] or "", n=1)),
    Rule("before a long weekend", "day", rf"(?:明年|今年)?(?P<name>{'|'.join(LONG)})?連(?:續)?假的?(?:前一天|前一日|前夕)", lambda m: Day("longweekend", name=m["name"] or "", n=-1)),
    Rule("date in a named year", "day", rf"(?P<yr>今年|明年|後年|去年)的?\s?(?:{BIG_M}月|(?P<m2>1[0-2]|0?[1-9])/){D}(?:日|號)?(?![天個點:])", lambda m: Day("date", unit="year", n=YEARS[m["yr"]], month=number(m["m"] or m["m2"]), day=number(m["d"]))),
    Rule("day before", "day", r"前一天|前一日|前夕", just(Day("next", n=-1))),
    Rule("weekday", "day", rf"(?P<w>{THIS})?(?:的)?{WEEK}(?P<d>[一二三四五六日天]|[1-6](?![月/:點\d]))(?![個天週年])", on_weekday),
    Rule("weekday in brackets", "day", r"(?<=[\d日號])\s?[((](?:週|星期)?(?P<d>[一二三四五六日])[))]", lambda m: Day("weekday", n=WEEKDAYS[m["d"]])),
    Rule("weekday after 拜", "day", r"(?P<w>(?:這|下下|下|上))?拜(?P<d>[一二三四五六])(?=[請想要休早上下整全半一我跟和到、,.\s]|$)", on_weekday),
    Rule(
        "weekday english",
        "day",
        r"(?<![a-z])(?P<w>this |next |last )?(?P<d>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?(?![a-z])",
        lambda m: Day("weekday", week={"this ": 0, "next ": 1, "last ": -1}.get(m["w"] or ""), n=WEEKDAYS[m["d"]]),
    ),
    Rule("week", "day", rf"(?P<w>{THIS})(?:一)?(?:整?{WEEK}|整?{WEEK}整{WEEK})(?:整?週|都|整個)?(?![一二三四五六日天末\d])", lambda m: Day("week", n=week_offset(m["w"]) or 0)),
    Rule("weekend", "day", rf"(?P<w>{THIS})?(?:個)?(?:週末|{WEEK}六日)(?:兩天)?", lambda m: Day("weekend", week=week_offset(m["w"]))),
    Rule("date slash", "day", rf"(?<![\d/.])(?:{Y}\s?/\s?)?{M}\s?/\s?(?P<d>\d{{1,2}})(?![\d/]|\.\d)", on_date()),
    Rule("date slash impossible", "day", r"(?<![\d/.])(?P<m>1[3-9]|[2-9]\d)/(?P<d>\d{1,2})(?![\d/]|\.\d)", on_date()),
    Rule("date dash", "day", rf"(?<![\d/.-])(?:{Y}-)?{M}-(?P<d>[0-3]?\d)(?![\d/-]|\.\d|[點時:]|\s?[點時])", on_date()),
    Rule("date dot", "day", rf"(?<![\d/.])(?:{Y}\.)?(?P<m>1[0-2]|0?[1-9])\.(?P<d>[0-3]?\d)(?![\d/.小天個倍%hH])", on_date()),
    Rule("date eight digits", "day", r"(?<!\d)(?P<y>20\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?!\d)", on_date()),
    Rule("date four digits", "day", r"(?<![\d:])(?P<m>0[1-9]|1[0-2])(?P<d>3[01]|[12]\d|0[1-9])(?=[請想要號日休特事病下上早,、\s]|$)(?!\s?[-~到至點])", on_date()),
    Rule("date in words", "day", rf"(?:{Y}年\s?)?{BIG_M}月(?:份)?的?\s?{D}(?:日|號)?(?![天個點:])", on_date()),
    Rule("roc date slash", "day", r"(?<![\d/.])(?:民國)?(?P<y>1[0-4]\d)[/.-](?P<m>1[0-2]|0?[1-9])[/.-](?P<d>[0-3]?\d)(?![\d/])", on_date(roc=True)),
    Rule("roc date seven digits", "day", r"(?<!\d)(?:民國)?(?P<y>1[0-4]\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?!\d)", on_date(roc=True)),
    Rule("roc date in words", "day", rf"(?:民國\s?(?P<y>\d{{2,3}})|(?<!\d)(?P<y2>1[0-4]\d))年\s?{BIG_M}月\s?{D}(?:日|號)?", lambda m: Day("date", year=1911 + int(m["y"] or m["y2"]), month=number(m["m"]), day=number(m["d"]))),
    Rule("date english", "day", r"(?<![a-z])(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?(?![a-z])", lambda m: Day("date", month=MONTHS[m["m"]], day=int(m["d"]))),
    Rule("day of month", "day", rf"{NOT_A_NUMBER}{D}(?:號|日)(?!子|誌|本|常|期|語|圓)", lambda m: Day("dom", day=number(m["d"]))),
    Rule("day of this month", "day", rf"(?:這個月|這月|本月|當月)的?{D}(?:號|日)?(?![天個點])", lambda m: Day("dom", month=0, day=number(m["d"]))),
    Rule("day of next month", "day", rf"(?:下個月|下月|次月)的?{D}(?:號|日)?(?![天個點])", lambda m: Day("dom", month=1, day=number(m["d"]))),
    Rule("day of last month", "day", rf"(?:上個月|上月)的?{D}(?:號|日)?(?![天個點])", lambda m: Day("dom", month=-1, day=number(m["d"]))),
    Rule("last day of the month", "day", r"(?:月底|這個月|這個月底|本月|本月底|月)的?最後一天", just(Day("monthend"))),
    Rule("last day of next month", "day", r"(?:下個月|下個月底)的?最後一天", just(Day("monthend", month=1))),
    Rule("last working days of the month", "day", rf"(?:月底|這個月|這個月底|本月|本月底)的?最後(?P<n>{N})個?(?:工作天|工作日|上班日)", lambda m: Day("monthend", n=number(m["n"]) or 1)),
    Rule("last working days of next month", "day", rf"(?:下個月|下個月底)的?最後(?P<n>{N})個?(?:工作天|工作日|上班日)", lambda m: Day("monthend", month=1, n=number(m["n"]) or 1)),
    *(Rule(f"festival {pattern}", "day", pattern, just(Day("holiday", name=name))) for pattern, name in NAMES.items()),
    Rule("lunar new year days", "day", r"(?:大年|過年|春節|年)?(?P<name>初[一二三四五六])", lambda m: Day("holiday", name=m["name"])),
    Rule("days on", "day", rf"(?P<n>{N})(?:天|日)(?:以|之)?後(?:的今天|那天)?", counted("day", 1)),
    Rule("days back", "day", rf"(?P<n>{N})(?:天|日)(?:以|之)?前(?:的今天|那天)?", counted("day", -1)),
    Rule("weeks on", "day", rf"(?P<n>{N})個?{WEEK}(?:以|之)?後(?:的今天|那天)?", counted("week", 1)),
    Rule("weeks back", "day", rf"(?P<n>{N})個?{WEEK}(?:以|之)?前(?:的今天|那天)?", counted("week", -1)),
    Rule("months on", "day", rf"(?P<n>{N})個月(?:以|之)?後(?:的今天|那天)?", counted("month", 1)),
    Rule("months back", "day", rf"(?P<n>{N})個月(?:以|之)?前(?:的今天|那天)?", counted("month", -1)),
    Rule("working days on", "day", rf"(?P<n>{N})個?(?:工作天|工作日|上班日)(?:以|之)?後", counted("workday", 1)),
    Rule("working days back", "day", rf"(?P<n>{N})個?(?:工作天|工作日|上班日)(?:以|之)?前", counted("workday", -1)),
    Rule("vague day", "day", r"月初|月中|月底|年底|年初|過幾天|過陣子|改天|最近|找一天|哪天|這幾天|近期|過一陣子|某天|下個月(?![底\d一二三四五六七八九十最])", lambda m: Day("vague", name=m[0])),
)


# Words that look like a day and are none: they are read first and mean nothing.
NOT_DAYS = Rules((
    Rule("every week", "repeat", rf"每(?:個|一)?{WEEK}(?:[一二三四五六日天])?|每(?:天|日|月|個月)|每隔", just("repeat")),
    Rule("not a fraction", "nothing", r"\d{1,4}(?:/\d{1,4}){3,9}|(?<!\d)\d{1,2}/\d{1,2}/\d{1,2}(?!\d)", just("nothing")),
    Rule("24/7", "nothing", r"24/7|三天兩頭|三天打魚|一天到晚|改天再", just("nothing")),
    Rule("phone number", "nothing", r"(?<!\d)(?:0\d{1,3}-?\d{3,4}-?\d{3,4}|\d{9,20})(?!\d)|分機\s?\d{1,6}|#\d{1,6}", just("nothing")),
    Rule("room or floor", "nothing", r"\d{1,4}(?:樓|室|班|路|巷|弄|線道|元|塊|度|公里|公斤|人|位|歲|分鐘車程|%|張)", just("nothing")),
    Rule("leave number", "number", r"wf\d{4,20}", lambda m: m[0].upper()),
    Rule("anniversary", "nothing", r"結婚週年|週年|週歲|滿月酒|大後方", just("nothing")),
    Rule("weather and such", "nothing", r"後天免疫|明日之星|今日頭條", just("nothing")),
))
