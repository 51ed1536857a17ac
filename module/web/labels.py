"""The page's own words: chips, field names, buttons."""

CHIPS = {
    "ready": "準備就緒",
    "busy": "理解中",
    "clarifying": "澄清中",
    "waiting": "待確認",
    "pending": "處理中",
    "sent": "已送出",
    "failed": "送出失敗",
    "unknown": "暫時無法連線",
}
RULES_ONLY = "規則模式"
WEEKDAYS = "一二三四五六日"
CONFIRM = "確認送出"
CONFIRM_CANCEL = "確認取消"
SEND = "傳送"
RESET = "重新開始"
NOT_YET = "尚未送出"
ASK = "例如：下週三下午請特休"
ASSUMED = "（預設）"
GUESSED = "（推測）"
TOO_FAST = "您送得太快了，請 {seconds} 秒後再試。"
TROUBLE = "系統暫時忙不過來，這次沒有完成。請重新整理頁面，確認目前的狀態後再試一次。"
