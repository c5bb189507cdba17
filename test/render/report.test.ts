import { expect, test } from "@jest/globals";
import { marked } from "marked";
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
