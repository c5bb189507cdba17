/** Texts that try to be markup, script, style or another text than they show. */
export const hostileTexts: readonly string[] = [
  "<script>document.title='harmed'</script>",
  "<img src=x onerror=\"document.title='harmed'\">",
  "</summary></details><h1>Approved</h1>",
  '" onmouseover="document.title=1',
  "' autofocus onfocus='document.title=1'",
  "</script><script>document.title='harmed'</script>",
  "<style>*{display:none}</style>",
  "<iframe src=https://example.invalid></iframe>",
  "<svg/onload=document.title=1>",
  "javascript:document.title='harmed'",
  "&lt;b&gt;&#x3c;b&#x3e;",
  "<!-- --><base href=https://example.invalid/>",
  "<link rel=stylesheet href=https://example.invalid/a.css>",
  "${document.title='harmed'}`",
  "\u202eevil\u2066 <b>bold</b>\u0000\u2028",
];

/** A text as HTML reads it: no NUL, and what turns a line around is shown as unreadable. */
export function shownText(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, "\ufffd").replace("\0", "");
}
