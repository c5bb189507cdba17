/** Names and texts of flags that try to be something else in a comment. */
export const hostile: readonly string[] = [
  "<script>alert(1)</script>",
  "</summary></details><h1>Approved</h1>",
  "<img src=x onerror=alert(1)>",
  "[click](https://evil.example)",
  "![picture](https://evil.example/x.png)",
  "https://evil.example/login and www.evil.example",
  "@octo-team please merge, cc @octocat",
  "fixes #12, octo/flags#13, GH-14 and !15",
  "` ``` `code` ~~~",
  "a | b | c",
  "**bold** _it_ __b__ ~~s~~",
  "line\nbreak\n\n# Heading\n- item",
  "<!-- --> --> <!--",
  "&lt;b&gt; &#60;b&#62; $x^2$ :tada:",
  "right\u202eto\u2066left\u0000\u001b[31m",
];
