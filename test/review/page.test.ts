import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { type Change, type Review, reviewPage } from "../../src/tools/review";
import { originOf } from "../../src/tools/stack/origin";
import { brokenRules, TestBrowser } from "../support/browser";
import { folderOfFile } from "../support/folders";
import { hostileTexts, shownText } from "../support/hostile-texts";

jest.setTimeout(600_000);

const folder = folderOfFile();
let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.start();
});

afterAll(() => browser?.close());

const side = (audience: string, share: number, place: number) => ({
  ...{ audience, share, place, environments: "all environments", environmentNames: null, isForAll: false },
});
const oceania = "users in NZ, AU";

const checkout: Change = {
  urn: "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/feature-console:Gate::checkout_v2",
  ...{ name: "checkout_v2", kind: "Gate", title: "gate", called: "checkout_v2", act: "update" },
  headline: `production: 10 % → 50 % of ${oceania}`,
  statements: [{ about: "reach", text: `10 % → 50 % of ${oceania}`, environments: "production" }],
  tables: [
    {
      argument: "rules",
      rows: [
        {
          ...{ what: "changed", name: '"Oceania"', moved: false },
          ...{ before: side(oceania, 10, 1), after: side(oceania, 50, 1) },
        },
        { what: "removed", name: '"Staff"', moved: false, before: side("users in segment staff", 100, 2) },
      ],
    },
  ],
  values: [{ argument: "description", before: "Old", after: "New" }],
  environments: ["production"],
  ...{ risk: "high", outcome: { what: "changes" }, inConsole: "in use" },
  facts: [{ about: "reach", level: "high", text: `+40 percentage points for ${oceania}` }],
  dependents: [{ object: 'gate "pay_later"', where: "program" }],
  lastChange: { by: "Kim", at: "2026-11-22T10:03:00.000Z" },
  ...{ checksPerHour: 48_000, owner: "shop", position: "index.ts:9:18", notices: [] },
  page: "https://console.example/gates/checkout_v2",
};

const prices: Change = {
  ...{ ...checkout, tables: [], owner: "money", risk: "low", facts: [], dependents: [] },
  ...{ urn: "urn:2", name: "prices", called: "prices", kind: "DynamicConfig", title: "dynamic config" },
  headline: "limit 5 → 6",
};

const origin = {
  ...{ commit: "4f0c2d1", author: "Kim", at: Date.UTC(2026, 10, 22, 10, 3) },
  page: "https://git.example/shop/flags/pull/12",
};

const reviewOf = (...changes: readonly Change[]): Review => ({
  ...{ format: 1, project: "shop", stack: "prod", changes, console: "asked", notes: [], failed: false },
  willFail: [],
  counts: {
    ...{ acts: { update: changes.length }, outcomes: {}, unchanged: 3, others: 0 },
    risks: { high: 1, medium: 0, low: changes.length - 1, info: 0 },
  },
});

/** So many that a page has a filter. */
const six = (): Change[] => [
  checkout,
  ...["a", "b", "c", "d"].map((called) => ({ ...checkout, called, urn: `urn:${called}` })),
  prices,
];

async function opened(review: Review, screen?: "desktop" | "phone") {
  const file = path.join(folder, "review.html");
  writeFileSync(file, reviewPage(review, origin));
  return browser.open(pathToFileURL(file).href, screen);
}

function seen(page: Page): Promise<string[]> {
  return page.locator(".change:visible strong").allTextContents();
}

test("a reviewer finds a change by its words, its risk, its kind and its owner", async () => {
  const { page } = await opened(reviewOf(...six()));
  expect(await seen(page)).toHaveLength(6);
  await page.getByText("Filter").click();
  await page.getByLabel("Search").fill("prices 6");
  expect(await seen(page)).toEqual(["prices"]);
  expect(await page.locator("output").textContent()).toBe("1 of 6 shown");
  await page.getByLabel("Search").fill("");
  const low = page.getByRole("button", { name: "5 low risk" });
  await low.click();
  expect(await seen(page)).toEqual(["prices"]);
  await low.click();
  for (const [label, of] of [
    ["Kind", "dynamic config"],
    ["Owner", "money"],
  ] as const) {
    await page.getByLabel(label).selectOption({ label: of });
    expect(await seen(page)).toEqual(["prices"]);
    await page.getByLabel(label).selectOption({ label: "all" });
  }
  expect(await seen(page)).toHaveLength(6);
});

test("a phone's first screen tells the verdict, where it comes from, and the three highest risks", async () => {
  const why = `gate "a" has another owner. ${"This takes many words. ".repeat(20)}`;
  const { page } = await opened({ ...reviewOf(...six()), willFail: [{ why }] }, "phone");
  const lowest = page.locator(".top li").last();
  expect((await lowest.boundingBox())?.y).toBeLessThan(600);
  expect(await page.locator("h1 + p").textContent()).toBe(
    "commit 4f0c2d1 by Kim · pull request 12 · report of 2026-11-22 10:03 UTC",
  );
  expect(await page.locator(".top li").allTextContents()).toEqual(
    ["checkout_v2", "a", "b"].map((name) => `${name} gate · +40 percentage points for ${oceania}`),
  );
  expect(await page.getByText("This takes many words.").isVisible()).toBe(false);
  await page.getByText("This update will fail: 1 reason").click();
  expect(await page.getByText("This takes many words.").isVisible()).toBe(true);
});

test("a report names the commit of its folder, also a changed one, and the page that its pipeline runs for", () => {
  const repository = mkdtempSync(path.join(folder, "repository-"));
  const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });
  const pipeline = { CI_PROJECT_URL: "https://git.example/flags", CI_MERGE_REQUEST_IID: "7" };
  writeFileSync(path.join(repository, "index.ts"), "one");
  git("init", "--quiet");
  git("add", ".");
  git(
    "-c",
    "commit.gpgsign=false",
    "-c",
    "user.name=Kim",
    "-c",
    "user.email=kim@example.com",
    "commit",
    "--quiet",
    "-m",
    "One",
  );
  const commit = git("rev-parse", "--short", "HEAD").trim();
  expect(originOf(repository, pipeline, 5)).toEqual({
    ...{ commit, author: "Kim", at: 5, page: "https://git.example/flags/-/merge_requests/7" },
  });
  writeFileSync(path.join(repository, "index.ts"), "two");
  expect(originOf(repository, {}, 5)).toMatchObject({ commit: `${commit} with changes`, page: undefined });
  expect(originOf(path.join(repository, "nowhere"), {}, 5).commit).toBeUndefined();
});

test("up to five changes stand there without a filter", async () => {
  const { page } = await opened(reviewOf(...six().slice(1)));
  expect(await seen(page)).toHaveLength(5);
  expect(await page.locator(".filter, .top, button").count()).toBe(0);
});

test("a link leads to a change, opens it, and shows it again if the filter hides it", async () => {
  const { page } = await opened(reviewOf(...six()));
  await page.keyboard.press("/");
  await page.keyboard.type("prices");
  await page.locator(".top").getByRole("link", { name: "a", exact: true }).click();
  expect(await seen(page)).toEqual(["a", "prices"]);
  expect(await page.locator(".change[open] strong").allTextContents()).toEqual(["a"]);
  await page.getByRole("link", { name: "link to this change" }).click();
  expect(new URL(page.url()).hash).toBe("#Gate-a");
});

test("what moves stands out, and a phone shows before above after", async () => {
  const everyone = { what: "changed" as const, name: '"All"', moved: false };
  const rows = [{ ...everyone, before: side("everyone", 0, 1), after: side("everyone", 50, 1) }];
  const stepped: Change = {
    ...{ ...checkout, urn: "urn:3", tables: [{ argument: "rules", rows }] },
    headline: "10 % → 50 % of some; 0 % → 50 % of everyone",
  };
  const off: Change = {
    ...{ ...checkout, urn: "urn:4", tables: [], headline: "is switched off: everyone → nobody · owner" },
    statements: [{ about: "state", text: "is switched off: everyone → nobody" }],
  };
  const { page } = await opened(reviewOf(checkout, prices, stepped, off), "phone");
  expect(await page.locator(".headline").evaluateAll((all) => all.map((one) => one.innerHTML))).toEqual([
    expect.stringContaining('<b class="large">10 % → 50 %</b>'),
    "limit 5 → 6",
    '10 % → 50 % of some; <b class="large">0 % → 50 %</b> of everyone',
    '<b class="large">is switched off: everyone → nobody</b> · owner',
  ]);
  await page.locator("summary").first().click();
  const [before, after] = await page
    .locator("tr.changed td")
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect()));
  expect([after?.left, (after?.top ?? 0) >= (before?.bottom ?? 0)]).toEqual([before?.left, true]);
});

test("a bar shows how many see it before and after", async () => {
  const { page } = await opened(reviewOf(checkout));
  await page.locator("summary").first().click();
  const bars = await page.getByRole("img").evaluateAll((all) =>
    all.map((bar) => {
      const widths = [...bar.querySelectorAll("rect")].map((one) => one.getBoundingClientRect().width);
      const [whole = 0, part = 0] = widths;
      return [bar.getAttribute("aria-label"), Math.round((100 * part) / whole)];
    }),
  );
  expect(bars).toEqual([
    ["before: 10 % of users in NZ, AU", 10],
    ["after: 50 % of users in NZ, AU", 50],
    ["before: all users in segment staff", 100],
  ]);
});

test("everything is reached by the keyboard", async () => {
  const { page } = await opened(reviewOf(...six()));
  await page.keyboard.press("/");
  await page.keyboard.type("prices");
  expect(await seen(page)).toEqual(["prices"]);
  await page.keyboard.press("Escape");
  expect(await seen(page)).toHaveLength(6);
  for (let stops = 0; stops < 3; stops++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.locator(".change").first().getAttribute("open")).toBe("");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe(
    "Rules before and after",
  );
});

test.each(["desktop", "phone"] as const)(
  "on a %s nothing hangs out of the screen, and the rules for accessible pages hold",
  async (screen) => {
    const long = { ...checkout, called: "x".repeat(300), headline: "y".repeat(500) };
    const { page } = await opened(reviewOf(long, ...six()), screen);
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    // Colours are the same on a phone.
    for (const colorScheme of screen === "desktop" ? (["light", "dark"] as const) : (["light"] as const)) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, broken: await brokenRules(page) }).toEqual({ colorScheme, broken: [] });
    }
  },
);

/** Every text of it, but those that say what a thing is, becomes another. */
function withTexts<T>(value: T, text: string, name = ""): T {
  if (typeof value === "string")
    return (["level", "about", "risk", "act", "what", "where", "at"].includes(name) ? value : text) as T;
  if (Array.isArray(value)) return value.map((one) => withTexts(one, text, name)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, text, key)])) as T;
}

test("a text of a flag is a text, whatever it says, and no request leaves the page", async () => {
  const changes = hostileTexts.map((text) => withTexts(checkout, text));
  const [project = "", stack = ""] = hostileTexts;
  const review = { ...reviewOf(...changes), notes: hostileTexts, project, stack };
  const { page, requests, errors } = await opened(review);
  for (const summary of await page.locator("summary").all()) await summary.click();
  await page.locator("strong").first().hover();
  expect(await seen(page)).toEqual(hostileTexts.map(shownText));
  expect(await page.locator("h1").count()).toBe(1);
  const foreign =
    "img, iframe, link, base, object, [onload], [onerror], [onfocus], [onmouseover], a:not([href^='#'], header a)";
  expect(await page.locator(foreign).count()).toBe(0);
  expect(await page.locator("script").count()).toBe(1);
  expect(await page.title()).toContain("15 flag changes");
  expect({ requests, errors }).toEqual({ requests: [], errors: [] });
});
