import { expect, test } from "@jest/globals";
import { marked } from "marked";
import { type Change, type Review, reviewMarkdown } from "../../src/tools/review";

/** Names and texts of flags that try to be something else in a comment. */
const hostile: readonly string[] = [
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

const side = (name: string, share: number) => ({
  ...{ place: 1, audience: name, share, environments: name, environmentNames: [name], isForAll: false },
});
const rule = (name: string) => ({
  ...{ what: "changed" as const, name, moved: false },
  ...{ before: side(name, 10), after: { ...side(name, 50), gives: name } },
});

const change = (text: string, number = 0): Change => ({
  ...{ urn: `urn:${number}`, name: text, kind: "Gate", title: "gate", called: text, act: "update" },
  ...{ headline: `10 % → 50 % of ${text}`, statements: [], environments: null, risk: "medium" },
  ...{ outcome: { what: "fails", why: text }, inConsole: "in use" },
  tables: [{ argument: "rules", rows: [rule(text)] }],
  values: [{ argument: "description", before: text, after: text }],
  facts: [{ about: "reach", level: "medium", text: `+40 percentage points for ${text}` }],
  dependents: [{ object: `gate "${text}"`, where: "console" }],
  lastChange: { by: text, at: "2026-11-22T10:03:00.000Z" },
  ...{ owner: text, page: `javascript:${text}`, notices: [text] },
});

const review = (changes: readonly Change[], notes: readonly string[] = []): Review => ({
  ...{ format: 1, project: "shop", stack: "prod", changes, notes, console: "asked", failed: false },
  willFail: changes.map(({ called }) => ({ object: called, why: called })),
  counts: {
    ...{ acts: { update: changes.length }, outcomes: {}, unchanged: 0, others: 0 },
    risks: { high: 0, medium: changes.length, low: 0, info: 0 },
  },
});

/** Elements of a comment as Markdown makes them, without the comments that nobody sees. */
const elements = (markdown: string) =>
  [
    ...String(marked.parse(markdown, { gfm: true }))
      .replace(/<!--[\s\S]*?-->/g, "\0")
      .matchAll(/<\/?([a-z0-9]+)/gi),
  ].map(([, name]) => name);

test.each(hostile)("%j is text and nothing else, wherever it stands", (text) => {
  const told = reviewMarkdown(review([change(text)], [text]));
  const plain = reviewMarkdown(review([change("plain")], ["plain"]));
  expect(elements(told)).toEqual(elements(plain));
  // What the page would make of text, not Markdown: people, issues and links. A comment in between ends the word.
  const shown = told.replaceAll("<!-- -->", "\0");
  expect(shown).not.toMatch(/@[a-z]|(?<!&)#\d|![0-9]|:\/\/|www\.\w|GH-\d|:tada:/i);
  expect(told.split("\n").filter((line) => line.startsWith("#"))).toHaveLength(2);
});

test("a page in the console is linked only where it is one", () => {
  const withPage = (page: string) => reviewMarkdown(review([{ ...change("plain"), page }]));
  expect(withPage("https://console.example/gates/a?b='\"<c>")).toContain(
    '<a href="https://console.example/gates/a?b=',
  );
  for (const page of ["javascript:alert(1)", "data:text/html,x", "not a page"])
    expect(withPage(page)).not.toContain("<a ");
});

test("changes that read the same are one line, and what a comment cannot hold is counted", () => {
  const numbers = (count: number) => [...Array(count).keys()];
  const same = numbers(300).map((number) => ({ ...change("plain", number), called: `flag_${number}` }));
  const told = reviewMarkdown(review(same));
  expect(told).toContain("300 gates: <b>flag_0</b>, <b>flag_1</b>");
  expect(told.match(/<details>/g)).toHaveLength(1);

  const different = numbers(5000).map((number) => change(`${hostile[number % 15]}_${number}`, number));
  const long = reviewMarkdown(review(different));
  expect(Buffer.byteLength(long)).toBeLessThan(65_000);
  expect(long).toMatch(/### 4,\d\d\d more changes\n/);
  const lines = long.match(/<details><summary><b>|^- <b>/gm)?.length ?? 0;
  const [, counted] = /### ([\d,]+) more changes/.exec(long) ?? [];
  expect(lines + Number(counted?.replace(",", ""))).toBe(5000);
});

test("the first line tells a report from every other comment", () => {
  expect(reviewMarkdown(review([])).split("\n").slice(0, 2)).toEqual([
    "<!-- feature-console report shop/prod -->",
    "## No flag changes in shop/prod",
  ]);
  const odd = reviewMarkdown({ ...review([]), stack: 'x --> "$(id)"' });
  expect(odd.split("\n")[0]).toBe("<!-- feature-console report shop/x_--_id_ -->");
});

test("every reason stands below its line, but for what the line says already", () => {
  const facts: Change["facts"] = [
    { about: "reach", level: "low", text: "+5 percentage points for everyone in staging" },
    { about: "stages", level: "info", text: "a release pipeline brings the rules out in stages" },
    { about: "traffic", level: "info", text: "1,200 checks an hour" },
    { about: "dependents", level: "info", text: 'gate "plain" depends on it' },
  ];
  const told = reviewMarkdown(review([{ ...change("plain"), facts, risk: "low", checksPerHour: 1200 }]));
  expect(told).toContain("\n- low: +5 percentage points for everyone in staging\n");
  expect(told).toContain("\n- info: a release pipeline brings the rules out in stages\n");
  expect(told.match(/1,200 checks an hour/g)).toHaveLength(1);
  expect(told.match(/gate "plain" .*depends on it/g)).toHaveLength(1);
});

test("changes in one line each have their own place, last change and page below it", () => {
  const several = ["ann", "bob", "kim"].map((name, at) => ({
    ...{ ...change("plain", at), called: `flag_${name}`, position: `flags/${name}.ts:${at + 1}:1` },
    ...{ lastChange: { by: name, at: "2026-11-22T10:03:00.000Z" }, page: `https://console.example/${name}` },
  }));
  const told = reviewMarkdown(review(several)).replaceAll("<!-- -->", "");
  expect(told.match(/<details>/g)).toHaveLength(1);
  for (const [at, name] of ["ann", "bob", "kim"].entries())
    expect(told).toContain(
      `\n- <b>flag_${name}</b> · last changed 2026-11-22 10:03 UTC by ${name} · flags/${name}.ts:${at + 1}:1 · <a href="https://console.example/${name}">in the console</a>\n`,
    );
});

test("what differs below the line keeps changes apart", () => {
  const values = [{ argument: "description", before: "plain", after: "other" }];
  const told = reviewMarkdown(review([change("plain"), { ...change("plain", 1), values }]));
  expect(told.match(/<details>/g)).toHaveLength(2);
});

test("what a line says of something new stands in no table again", () => {
  const made = { ...change("plain"), act: "create" as const, tables: [] };
  const table = "| argument |";
  expect(reviewMarkdown(review([made]))).not.toContain(table);
  const statements = Array.from({ length: 6 }, (_, at) => ({ about: "value" as const, text: `a${at} 1` }));
  expect(reviewMarkdown(review([{ ...made, statements }]))).toContain(table);
});
