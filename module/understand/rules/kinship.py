"""Who died decides which bereavement leave it is (勞工請假規則 §3)."""

from module.understand.rule import Rule, Rules, just

SPOUSE = r"(?:太太|老婆|妻子|內人|先生|老公|丈夫|配偶|另一半)"
PARENT = r"(?:養父|養母|繼父|繼母|爸爸?|媽媽?|父親|母親|父母親?|爸媽|老爸|老媽|爹|娘|雙親)"
GRANDPARENT = r"(?:爺爺|奶奶|阿公|阿嬤|外公|外婆|祖父母?|祖母|外祖父母?|外祖母|阿祖父|內公|內嬤)"

KIN = Rules((
    Rule("spouse", "kin", SPOUSE, just("八日喪假")),
    Rule("parent", "kin", rf"(?:養|繼)?{PARENT}", just("八日喪假")),
    Rule("grandparent", "kin", GRANDPARENT, just("六日喪假")),
    Rule("child", "kin", r"兒子|女兒|小孩|孩子|子女", just("六日喪假")),
    Rule("parent in law", "kin", rf"公婆|公公|婆婆|岳父母?|岳母|丈人|丈母娘|{SPOUSE}的?{PARENT}", just("六日喪假")),
    Rule("sibling", "kin", r"哥哥|弟弟|姊姊|姐姐|妹妹|大哥|大姊|大姐|兄弟姊妹|兄弟|姊妹|兄長|胞[兄弟姊妹]", just("三日喪假")),
    Rule("great-grandparent", "kin", r"曾祖父母?|曾祖母|外曾祖父母?|外曾祖母|阿祖|太公|太嬤", just("三日喪假")),
    Rule("grandparent in law", "kin", rf"{SPOUSE}的?{GRANDPARENT}", just("三日喪假")),
))
DEATH = r"過世|往生|走了|去世|離世|病逝|辭世|過身|離開了|仙逝|喪"
