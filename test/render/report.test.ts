import { expect, test } from "@jest/globals";
import { marked } from "marked";
import { html, pageText } from "../../src/emulator/web-page";
import { type Report, rendered } from "../../src/tools/render/report";
import { hostileTexts } from "../support/hostile-texts";

const report = (text: string): Report => ({
  title: text,
  parts: [
    text,
    [text, "second"],
    {
      title: text,
      parts: [
        text,
        { header: ["", "before", "after"], rows: [["rules", text, "b"]] },
        { title: "inside", parts: [{ rows: [["decides", text]] }] },
      ],
    },
    { title: "alone", parts: [] },
  ],
  json: { text },
});

test("one report in each form", () => {
  expect(rendered(report("a"), "text")).toBe(`a

a

a
second

a
  a
         before  after
  rules  a       b
  inside
    decides  a

alone
`);
  expect(rendered(report("a"), "markdown")).toBe(`## a

a

- a
- second

<details><summary><b>a</b></summary>

- a

|  | before | after |
| --- | --- | --- |
| rules | a | b |


**inside**


|  |  |
| --- | --- |
| decides | a |


</details>

- alone
`);
  expect(rendered(report("a"), "html")).toContain("<section><h2>a</h2><p>a</p>");
  expect(JSON.parse(rendered(report("a"), "json"))).toEqual({ text: "a" });
});

/** Elements of a page. */
const elements = (page: string) => page.replace(/<!--[\s\S]*?-->/g, "\0").match(/<\/?[a-z0-9]+/gi);

test.each(hostileTexts)("%j is text and nothing else in each form", (text) => {
  for (const page of [
    (one: string) => rendered(report(one), "html"),
    (one: string) => String(marked.parse(rendered(report(one), "markdown"), { gfm: true })),
  ])
    expect(elements(page(text))).toEqual(elements(page("plain")));
  const lines = (one: string) => rendered(report(one), "text").split("\n").length;
  expect(lines(text)).toBe(lines("plain"));
});

test("texts become no markup, neither between tags nor in attributes", () => {
  const text = `"><script>alert(1)</script>' & \u202etxt`;
  expect(html`<b title="${text}">${text}</b>`.text).toBe(
    '<b title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39; &amp; \ufffdtxt">' +
      "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39; &amp; \ufffdtxt</b>",
  );
});

test("templates nest, lists are joined, and nothing says nothing", () => {
  const items = ["a", "b"].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${7}`.text).toBe("<ul><li>a</li><li>b</li></ul>7");
});

test("a page says that it may ask for nothing, and run its own script alone", () => {
  const page = pageText({ title: "</title>", body: "text", style: "", script: "void 0;" });
  expect(page).toContain("<title>&lt;/title&gt;</title>");
  const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(policy).toContain("default-src &#39;none&#39;");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});
