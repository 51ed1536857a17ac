"""Text that would do something wherever it were taken for markup."""

HOSTILE = (
    '<img src=x onerror="window.__x=1"><script>window.__x=2</script></textarea></div><svg onload=window.__x=3>'
    '<svg><a href="javascript:window.__x=4"><text y=20>k</text></a></svg> [c](javascript:window.__x=5) **b** $$x$$ '
    "<form action=//evil.example><input name=p></form><style>body{display:none}</style>\u202e\u0000"
)
