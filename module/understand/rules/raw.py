"""Rows for the raw reading of a time expression: calendar units, clock times as they stand, amounts, and what joins them."""

from module.understand.days import Day
from module.understand.feasts import feast, lunar_day, lunar_month
from module.understand.hours import about, amount, clock_said, date_said
from module.understand.periods import (
    from_there,
    half_year,
    month_said,
    months_on,
    nth_day,
    nth_month,
    nth_quarter,
    nth_week,
    nth_weekday,
    of_day,
    part_of_month,
    quarters_on,
    some_days,
    steps,
    together,
    weeks_on,
    year_said,
)
from module.understand.rule import Rule, just
from module.understand.rules.moon import TERMS

N = r"(?P<n>\d{1,3}|[一二兩三四五六七八九十廿卅百零〇]{1,5})"
COUNT = r"(?P<n>\d{1,5}(?:\.\d{1,2})?|[一二兩倆三四五六七八九十廿卅百零〇]{1,6}(?:點[一二三四五六七八九零〇]{1,2})?|半)"
WEEK = r"(?:週|星期|禮拜)"
BIG_Y = r"(?P<y>(?:19|20)\d\d|[一二][〇零一二三四五六七八九]{3})"
BIG_M = r"(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
MOON = r"(?:農曆|陰曆|舊曆)的?"
MOON_M = r"(?P<leap>閏)?(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九正臘冬])月"
MOON_D = r"(?P<d>初[一二三四五六七八九十]|[廿卅][一二三四五六七八九]?|二?十[一二三四五六七八九]?|三十|[一二三四五六七八九]|\d{1,2})"
MOON_D_PLAIN = r"(?P<d>初[一二三四五六七八九十]|廿[一二三四五六七八九])"
H = r"(?P<h>(?<!\d)\d{1,2}|二?十[一二三四五六七八九]?|[〇零一二兩三四五六七八九])"
MINUTES = r"(?P<m>\d{1,2}|[一二三四五]?十[一二三四五六七八九]?|[〇零][一二三四五六七八九]|[一二三四五六七八九]十?)"
HALVES = r"(?:(?P<half>半)|(?P<q>[一三])刻|整|正|鐘整?|多鐘?|左右)"
AMPM = r"(?P<p>am|pm|a\.m\.?|p\.m\.?)"

UNITS: tuple[Rule, ...] = (
    *(
        Rule(f"year {n:+}", "unit", words, year_said(n))
        for words, n in {"今年|本年度?|這一?年|當年": 0, "明年|來年|下一?年": 1, "(?<!之)後年": 2, "去年|上一?年": -1, "前年": -2}.items()
    ),
    Rule("year of four digits", "unit", rf"(?<!\d){BIG_Y}年(?!前|後|內|間)", year_said()),
    Rule("year of two digits", "unit", r"(?<!\d)(?P<y>\d\d)年(?!前|後|內|間|多|來|的?時間)", year_said()),
    Rule("year of the republic", "unit", r"民國(?P<roc>\d{2,3})年", year_said()),
    Rule("year of the republic, short", "unit", r"(?<!\d)(?P<roc>1[0-4]\d)年(?!前|後|內|間)", year_said()),
    Rule("month", "unit", rf"(?<![\d個第/.]){BIG_M}月(?:份)?", month_said),
    Rule("month of a year", "unit", r"(?<![\d/.-])(?P<y>20\d\d)[./-](?P<m>0[1-9]|1[0-2])(?![\d./-])", month_said),
    Rule("month counted", "unit", r"(?P<w>這個?|這一個|本|當|同|次|[下上]{1,3}一?個?)月(?:份|度)?(?!底|初|中)", months_on),
    Rule("month counted, a part", "unit", r"(?P<w>這個?|這一個|本|當|次|[下上]{1,3}一?個?)月(?=底|初|中)", months_on),
    Rule("week counted", "unit", rf"(?P<w>這個?|這一個?|本|當|同|[下上]{{1,3}}一?個?)(?:整個?)?{WEEK}(?!末|[一二三四五六日天1-7六])", weeks_on),
    Rule("n-th weekday", "unit", rf"(?:第|(?P<last>最後|倒數第))(?P<n>\d|[一二三四五])個?{WEEK}(?P<d>[一二三四五六日天1-7])", nth_weekday),
    Rule("n-th day", "unit", rf"(?:第|(?P<last>倒數第)){N}[天日]", nth_day),
    Rule("last day", "unit", r"(?P<last>最後)(?P<n>一)[天日]", nth_day),
    Rule("first or last days", "unit", rf"(?:前(?!一[天日])|(?P<last>最後|後)){N}[天日](?!前|後|內|以|之)", some_days),
    Rule("n-th week", "unit", rf"(?:第|(?P<last>最後)|(?P<some>前)){N}個?{WEEK}(?![一二三四五六日天末])", nth_week),
    Rule("n-th month", "unit", rf"第{N}個月", nth_month),
    Rule("beginning of the month", "unit", r"月初(?![一二三四五六七八九十])|月頭", part_of_month(1, 6)),
    Rule("beginning of a month", "unit", r"(?<=月)初(?![一二三四五六七八九十])", part_of_month(1, 6)),
    Rule("middle of the month", "unit", r"月中(?!旬|秋)|月中旬|中旬", part_of_month(11, 21)),
    Rule("middle of a month", "unit", r"(?<=月)中(?!旬|秋|午)|(?<=月)中旬", part_of_month(11, 21)),
    Rule("first third of the month", "unit", r"上旬", part_of_month(1, 11)),
    Rule("last third of the month", "unit", r"下旬", part_of_month(21, 0)),
    Rule("end of the month", "unit", r"月[底末]", part_of_month(0, 0)),
    Rule("end of a month", "unit", r"(?<=月)[底末]", part_of_month(0, 0)),
    Rule("quarter counted", "unit", r"(?P<w>這一?個?|本|當|[下上]{1,3}一?個?)季(?:度)?(?!節|末)", quarters_on),
    Rule("n-th quarter", "unit", r"第(?P<n>[一二三四1-4])個?季度?(?!節|末)", nth_quarter),
    Rule("half of the year", "unit", r"(?P<h>[上下])半年", half_year),
    Rule("days together", "unit", r"今明後大後[兩三四]?天|明後大後[三]?天|今明後[三]?天|今明[兩二]?天|明後[兩二]?天", together),
    Rule("days from there", "unit", rf"(?:之後|往後|向後|接下來)的?{N}[天日]", from_there),
    Rule("so many days from there", "unit", rf"(?:(?P<back>前)|後)的?第{N}[天日]", steps),
    Rule("four days on", "unit", r"大大後天", lambda m: of_day(Day("offset", n=4))),
    Rule("month and day of two numbers", "unit", r"(?<![\d.])(?P<m>1[0-2]|0?[1-9])·(?P<d>[0-3]?\d)(?!\d)", date_said),
    Rule("date with blanks", "unit", r"(?<!\d)(?P<y>20\d\d) (?P<m>1[0-2]|0?[1-9]) (?P<d>[0-3]?\d)(?!\d)", date_said),
    Rule("date with the year last", "unit", r"(?<![\d/-])(?P<m>1[0-2]|0?[1-9])/(?P<d>[0-3]?\d)/(?P<y>20\d\d)(?!\d)", date_said),
    Rule("date that cannot be", "unit", r"(?<![\d/-])(?P<y>20\d\d)[-/.](?P<m>1[3-9]|[2-9]\d|0?0)[-/.](?P<d>\d{1,2})(?!\d)", date_said),
    Rule("date with dashes and the year last", "unit", r"(?<![\d/-])(?P<d>\d{1,2})-(?P<m>\d{1,2})-(?P<y>(?:19|20)\d\d)(?!\d)", date_said),
    Rule("numbers with dashes", "nothing", r"(?<![\d-])\d{1,2}(?:-\d{1,2}){2}(?![\d-])", just("nothing")),
    Rule("date before a clock", "unit", r"(?<![\d/-])(?P<y>20\d\d)[-/](?P<m>1[0-2]|0?[1-9])[-/](?P<d>[0-3]\d)(?=[t-]?\d\d?:\d\d)", date_said),
    Rule("date in words before a clock", "unit", r"(?P<y>20\d\d)年(?P<m>1[0-2]|0?[1-9])月(?P<d>[0-3]\d)(?=[01]\d:\d\d)", date_said),
    Rule("lunar day", "unit", rf"(?:{MOON}(?:{BIG_Y}年)?的?){MOON_M}的?{MOON_D}[號日]?(?!\d)", lunar_day),
    Rule("lunar day by its name", "unit", rf"(?:{MOON})?{MOON_M}{MOON_D_PLAIN}(?![號日])", lunar_day),
    Rule("lunar day of a named month", "unit", r"(?P<leap>閏)?(?P<m>[正臘冬])月" + MOON_D, lunar_day),
    Rule("lunar month", "unit", rf"{MOON}(?:{BIG_Y}年)?{MOON_M}", lunar_month),
    Rule("lunar leap month", "unit", r"(?P<leap>閏)(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月", lunar_month),
    Rule("lunar month with a name of its own", "unit", r"(?P<leap>閏)?(?P<m>[正臘冬])月", lunar_month),
    *(
        Rule(f"raw feast {name}", "unit", rf"(?:下一?個)?(?:{words})", feast(name))
        for words, name in {
            "元旦節?|[陽國]曆新年|(?<![蘭教曆木])新年": "元旦", "愚人節": "愚人節", "母親節": "母親節", "(?:臺灣|台灣)?父親節": "父親節",
            "感恩節": "感恩節", "五一(?:國際)?(?:勞動節)?(?![\\d一二三四五六七八九十點月號日個])": "勞動節", "聖誕(?:節|夜前)?|耶誕節?": "聖誕節",
            "國慶[節日]?": "國慶", "雙十一|雙11": "雙十一", "大年三十|年三十|除夕夜?": "除夕", "(?:農曆)?元宵節?": "元宵",
            "春節|(?:農曆|舊曆)新?年|正月朔日": "春節", "中秋節?": "中秋", "端午節?": "端午", "清明節?": "清明", "青年節": "青年節",
            "植樹節": "植樹節", "軍人節": "軍人節", "重陽節?": "重陽", "情人節": "情人節", "臘八節?": "臘八",
        }.items()
    ),
    *(Rule(f"solar term {name}", "unit", name, feast(name)) for name in TERMS if name != "清明"),
)  # fmt: skip

CLOCKS: tuple[Rule, ...] = (
    Rule("raw clock colon", "clock", rf"(?<![\d:/])(?P<h>\d{{1,2}}):(?P<m>\d{{2}})(?::(?P<s>\d{{2}}))?(?:[時分]|\s?{AMPM}|\s?(?P<p2>[ap])(?![a-z]))?(?![\d:])", clock_said),
    Rule("raw clock glued to a date", "clock", r"(?<=[-/月]\d\d)-?(?P<h>[01]\d|2[0-3]):(?P<m>[0-5]\d)(?!\d)", clock_said),
    Rule("raw clock", "clock", rf"{H}\s?[點時](?!間|段|數|候){HALVES}?\s?{AMPM}?", clock_said),
    Rule("raw clock with minutes", "clock", rf"{H}\s?[點時]{MINUTES}(?:分(?!鐘)(?:(?P<s>\d{{1,2}}|[一二三四五]?十[一二三四五六七八九]?)秒)?|(?![\d個小天月號日:/點刻]))\s?{AMPM}?", clock_said),
    Rule("raw clock of two hours", "about", r"(?P<h>[一二三四五六七八九十])(?P<h2>[二三四五六七八九十])[點時](?!間|段)", about),
    Rule("raw clock dot", "clock", r"(?<=[午上晚早])(?P<h>1?\d|2[0-3])\.(?P<m>[0-5]\d)(?!\d)", clock_said),
    Rule("raw hour before a joiner", "clock", r"(?<=[午上晚早晨])(?P<h>\d{1,2}|十[一二]?|[一二兩三四五六七八九])(?=[-~到至](?:\d{1,2}|十[一二]?|[一二兩三四五六七八九])(?:[點時]|:\d\d))", clock_said),
    Rule("minute alone", "minute", r"(?<![\d點時:考得拿差扣滿零了])(?P<m>[0-5]\d)分(?![鐘之數的頭鍾半\d])", lambda m: int(m["m"])),
    Rule("now", "now", r"現在|此刻|目前|即刻", just(0)),
    Rule("dawn", "part", r"凌晨|半夜", just("dawn")),
    Rule("early morning", "part", r"清晨|清早|破曉|黎明|拂曉|今?晨(?=\d)", just("early")),
    Rule("today's morning", "part", r"(?<=今)晨", just("early")),
    Rule("morning said short", "part", r"早間|(?<=[號日天])早(?![退到])|早(?=\d{1,2}[點:]|[一二兩三四五六七八九十]{1,2}點)", just("am")),
    Rule("evening said short", "part", r"晚間|夜晚|(?<=[號日當])晚(?!到)|晚(?=\d{1,2}[點:]|[一二兩三四五六七八九十]{1,2}點)|深夜|午夜", just("evening")),
)

HOUR, MINUTE = 3600.0, 60.0
AMOUNTS: tuple[Rule, ...] = (
    Rule("amount of years", "amount", rf"(?<![\d第]){COUNT}年(?P<half>半)?(?=[之以]?[前後](?!天))", amount(months=12)),
    Rule("amount of months", "amount", rf"{COUNT}個(?P<half>半)?月(?![底初中])", amount(months=1)),
    Rule("amount of weeks", "amount", rf"{COUNT}(?:個多?)?{WEEK}(?:多|整)?(?![一二三四五六日天末])", amount(days=7)),
    Rule("amount of days", "amount", rf"(?<![第月/\d年初]){COUNT}(?:多|個)?(?:天|(?:工作|交易|上班)[天日])(?:整|多)?(?P<half>半)?", amount(days=1)),
    Rule("amount of days in 日", "amount", r"(?<![第月/\d年初])(?P<n>[兩倆]|[一二三四五六七八九十]?百[一二三四五六七八九十零]{0,3}|半|3[2-9]|[4-9]\d|\d{3,4})日(?!圓|幣)", amount(days=1)),
    Rule("amount of days before or after", "amount", rf"(?<![第月/\d年初]){COUNT}日(?=[之以]?[前後])", amount(days=1)),
    Rule("amount of days and nights", "amount", r"(?P<n>\d{1,2}|[一二兩三四五六七八九十])天(?:\d{1,2}|[一二兩三四五六七八九十])[夜晚]", amount(days=1)),
    Rule("amount of hours", "amount", rf"{COUNT}(?P<half>個半)?(?:個多?|多個?)?(?:小時|鐘頭)(?:整)?(?P<half2>半)?", amount(seconds=HOUR)),
    Rule("amount of hours in 鐘", "amount", r"(?P<n>\d{1,2}|[一二兩三四五六七八九十])?(?P<half>個半)鐘(?!頭)", amount(seconds=HOUR)),
    Rule("amount of an hour and a half", "amount", r"(?<![一二兩三四五六七八九十\d半])(?P<half>個半)(?:小時|鐘頭)", amount(seconds=HOUR)),
    Rule("amount of a month and a half", "amount", r"(?<![一二兩三四五六七八九十\d半])(?P<half>個半)月", amount(months=1)),
    Rule("amount of hours after days", "amount", r"(?<=[\d一二兩三四五六七八九十]天)(?P<n>\d{1,2}|二?十[一二三四五六七八九]?|[一二兩三四五六七八九])時(?!\d)", amount(seconds=HOUR)),
    Rule("amount of minutes", "amount", rf"{COUNT}(?P<half>分半)?多?(?:分鐘|(?<=半)鐘)", amount(seconds=MINUTE)),
    Rule("amount of minutes after hours", "amount", r"(?<=[時頭])零?(?P<n>\d{1,2}|[二三四五]?十[一二三四五六七八九]?|[一二三四五六七八九])分(?!之)", amount(seconds=MINUTE)),
    Rule("amount of quarters", "amount", r"(?P<n>[一兩三])刻鐘", amount(seconds=15 * MINUTE)),
)

JOINS: tuple[Rule, ...] = (
    Rule("raw until", "join", r"(?:一直)?到|至(?!少|於|多|今(?![天日晚早年]))|~|\s?-{1,2}\s?|\bto\b|\buntil\b", just("to")),
    Rule("raw and", "join", r"、|和|跟|與|及", just("and")),
    Rule("raw comma", "join", r",", just("comma")),
    Rule("raw or", "join", r"或者?是?|還是", just("or")),
    Rule("between", "between", r"之間", just(True)),
    Rule("raw after", "after", r"(?:以|之|過)?後(?!天|年|日)|起(?!來|床)", just(1)),
    Rule("raw before", "before", r"[以之]?前(?!天|年|日|往|兩|二|三)", just(-1)),
    Rule("after so long", "coming", r"再過|再等", just(1)),
    Rule("still so long", "left", r"還剩下?", just(1)),
    Rule("the hour before now", "past_hour", r"上一?個小時", just(1)),
)

RAW: tuple[Rule, ...] = (*UNITS, *AMOUNTS, *CLOCKS, *JOINS)

# Rows of the leave form that mean something else before working hours apply.
NOT_HERE = frozenset({
    "week", "vague day", "days on", "days back", "weeks on", "weeks back", "months on", "months back",
    "clock colon", "clock 點", "clock 點 with minutes", "clock half", "clock quarter", "clock three quarters", "hours", "hours and a half",
    "decimal hours", "half an hour", "minutes", "days", "until", "and", "or", "from then on", "before then", "half day", "not a fraction",
    "last day of the month", "last day of next month", "noon onwards", "weekday of a month", "right now", "closing time",
})  # fmt: skip
