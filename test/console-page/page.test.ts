import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { type PageOptions, startEmulator } from "../../src/emulator";
import { SdkWorker } from "../../src/emulator/evaluation";
import { httpTransport } from "../../src/provider/client/transport";
import { createPageEvaluation } from "../../src/tools/cli/emulate";
import { type Desk, deskOf, ruleFor } from "../emulator/desk";
import { brokenRules, TestBrowser } from "../support/browser";
import { hostileTexts, shownText } from "../support/hostile-texts";

jest.setTimeout(600_000);

let browser: TestBrowser;
let api: Desk;

beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterEach(() => api?.close());
const evaluation = new SdkWorker();
const evaluate = createPageEvaluation(evaluation);
afterAll(async () => {
  await browser?.close();
  await evaluation.close();
});

/** A console that is looked at. */
async function look(ui: boolean | PageOptions = { evaluate }): Promise<string> {
  api = deskOf(await startEmulator({ ui, key: "console-only" }), { "SERVICE-API-KEY": "console-only" });
  return `${api.emulator.url}/`;
}

const rules = [
  { ...ruleFor("Staff"), conditions: [{ type: "passes_segment", targetValue: "staff" }] },
  {
    ...{ ...ruleFor("Oceania", 50), environments: ["production"] },
    conditions: [{ type: "country", operator: "any", targetValue: ["NZ", "AU"] }],
  },
];

async function fill(): Promise<void> {
  const mail = { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] };
  const ofMail = [{ ...ruleFor("Mail"), conditions: [mail] }];
  await api.must("POST", "/segments", { name: "staff", type: "rule_based", rules: ofMail });
  await api.must("POST", "/gates", { id: "checkout_v2", tags: ["shop"], rules: rules.slice(0, 1) });
  await api.must("PATCH", "/gates/checkout_v2", { rules });
  const asking = { ...ruleFor("A"), conditions: [{ type: "passes_gate", targetValue: "checkout_v2" }] };
  await api.must("POST", "/gates", { id: "pay_later", rules: [asking] });
  await api.must("POST", "/dynamic_configs", { name: "prices", defaultValue: { maxItems: 20 }, rules: [] });
}

const logged = (address: string, event: object) =>
  fetch(`${address}v1/log_event`, {
    ...{ method: "POST", headers: { "statsig-api-key": "secret-any" } },
    body: JSON.stringify({ events: [event] }),
  });

/** Texts of parts of the list of flags. Until a browser first draws that list, it reads each of them as empty. */
async function drawnTexts(page: Page, parts: string): Promise<string[]> {
  for (;;) {
    const texts = await page.locator(parts).allInnerTexts();
    if (!texts.includes("")) return texts;
    await page.waitForTimeout(20);
  }
}

test("a flag reads in plain words, with who uses it and who changed what", async () => {
  const address = await look();
  await fill();
  const { page, errors } = await browser.open(address);
  const checkout = /^checkout_v2 on\s+all users in segment "staff"; 50 % of other users in NZ, AU\s+20/;
  const payLater = /^pay_later on\s+all users in gate "checkout_v2"/;
  const listed = [checkout, payLater].map((text) => expect.stringMatching(text));
  expect(await drawnTexts(page, ".objects > li")).toEqual(listed);
  await page.getByRole("link", { name: "checkout_v2" }).click();
  await page.waitForURL(/id=checkout_v2/);
  expect((await page.locator(".rules > li").allInnerTexts()).map((text) => text.split(/\s*\n+\s*/))).toEqual([
    ['"Staff" all users in segment "staff"', "all environments"],
    ['"Oceania" 50 % of other users in NZ, AU', "production"],
    ["otherwise nobody passes"],
  ]);
  // Both in one minute.
  expect(await page.locator(".history li li").allInnerTexts()).toEqual([
    'new rule "Oceania": 50 % of other users in NZ, AU',
    "made",
  ]);
  expect(await page.locator(".history .small").first().textContent()).toMatch(/UTC, by a key$/);
  expect(await page.locator(".names").allInnerTexts()).toEqual([
    'segment "staff"\ntag "shop"',
    'gate "pay_later"',
  ]);
  await page.getByRole("link", { name: 'gate "pay_later"' }).click();
  await page.waitForURL(/id=pay_later/);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^pay_later/);
  expect(errors).toEqual([]);
});

test("a form for one user writes the JSON beside it, and reads it", async () => {
  const address = await look();
  await fill();
  const { page, errors } = await browser.open(`${address}?kind=gate&id=checkout_v2`);
  const users = page.getByLabel("Users, as JSON");
  await page.getByLabel("Email", { exact: true }).fill("ann@other.example");
  await page.getByLabel("Country", { exact: true }).fill("");
  expect(await users.inputValue()).toBe('{"userID":"42","email":"ann@other.example"}');
  await page.getByRole("button", { name: "Ask the SDK" }).click();
  await page.locator(".answers > li").waitFor();
  expect(await page.locator(".answers > li").textContent()).toMatch(/^42 fails/);
  await users.fill('{"userID": "7", "custom": {"plan": "pro"}}');
  expect(await page.getByLabel("User", { exact: true }).inputValue()).toBe("7");
  await page.getByLabel("Country", { exact: true }).fill("AU");
  expect(await users.inputValue()).toBe('{"userID":"7","custom":{"plan":"pro"},"country":"AU"}');
  expect(errors).toEqual([]);
});

test("empty lists stand behind the others, and a phone has every other one in sight", async () => {
  const address = await look();
  await fill();
  const { page } = await browser.open(`${address}?view=events`, "phone");
  const ways = page.locator(".ways > li > a");
  expect(await ways.filter({ visible: true }).allInnerTexts()).toEqual([
    ...["Gates 2", "Configs 1", "Segments 1", "Changes", "Events"],
  ]);
  for (const way of await ways.filter({ visible: true }).all()) {
    const { x = 0, width = 0 } = (await way.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(375);
  }
  await page.getByText("More").click();
  await page.getByRole("link", { name: "Layers 0" }).click();
  await page.waitForURL(/kind=layer/);
  expect(await page.locator("[aria-current]").textContent()).toBe("Layers 0");
});

test("the SDK says who passes, in which environment, and why", async () => {
  const address = await look();
  await fill();
  const { page, errors } = await browser.open(`${address}?kind=gate&id=checkout_v2`);
  const users = page.getByLabel("Users, as JSON");
  const ask = async () => {
    await page.getByRole("button", { name: "Ask the SDK" }).click();
    await page.locator("button:enabled").waitFor();
    return page.locator(".answers > li, .failure").allInnerTexts();
  };
  await users.fill('{"userID": "1", "email": "ann@example.com"}\n{"userID": "2", "country": "FR"}');
  expect(await ask()).toEqual([
    expect.stringMatching(/^1 passes\n.*rule "Staff"/),
    expect.stringMatching(/^2 fails\n.*no rule is for this user/),
  ]);
  const many = Array.from({ length: 150 }, (_, at) => ({ userID: `user-${at}`, country: "NZ" }));
  await users.fill(JSON.stringify(many));
  expect(new Set((await ask()).map((text) => text.split(" ")[1]?.split("\n")[0]))).toEqual(
    new Set(["fails"]),
  );
  await page.getByLabel("Environment").fill("production");
  const passing = (await ask()).filter((text) => / passes\n/.test(text)).length;
  expect(passing).toBeGreaterThan(30);
  expect(passing).toBeLessThan(120);
  // A keyboard is enough; what is no user is told.
  await page.goto(`${address}?kind=dynamicConfig&id=prices`);
  await users.fill('{"userID": "1"}');
  await users.press("Control+Enter");
  await page.locator(".answers > li").waitFor();
  expect(await page.locator(".answers > li").textContent()).toContain('{"maxItems":20}');
  expect(errors).toEqual([]);
  await users.fill("nobody");
  expect(await ask()).toEqual([
    expect.stringContaining('users: neither JSON nor a table of users: found "nobody" as its first line'),
  ]);
});

test("without an SDK the form says what to do", async () => {
  const address = await look(true);
  await fill();
  const { page } = await browser.open(`${address}?kind=gate&id=checkout_v2`);
  await page.getByRole("button", { name: "Ask the SDK" }).click();
  await page.locator(".failure").waitFor();
  expect(await page.locator(".failure").textContent()).toContain("feature-console emulate --ui");
});

test("what changes shows by itself: a rule, a new flag, an event, and that the console is gone", async () => {
  const address = await look();
  await fill();
  const { page: flag } = await browser.open(`${address}?kind=gate&id=checkout_v2`);
  const { page: events } = await browser.open(`${address}?view=events`);
  await flag.getByLabel("Environment").fill("typed before");
  await api.must("PATCH", "/gates/checkout_v2", { rules: [ruleFor("Everyone", 25)] });
  await api.must("POST", "/gates", { id: "third", name: "third", rules: [] });
  await logged(address, { eventName: "purchase", value: 12.5, user: { userID: "ann" } });
  await flag.getByText("25 % of everyone").first().waitFor();
  expect(await flag.locator(".ways a").first().textContent()).toBe("Gates 3");
  expect(await flag.getByLabel("Environment").inputValue()).toBe("typed before");
  await events.getByRole("rowheader", { name: "purchase" }).waitFor();
  expect(await events.locator("tbody tr").textContent()).toMatch(/purchase\s*ann\s*12.5/);
  await api.close();
  await flag.getByText("The console does not answer").waitFor();
});

test("the page is off unless it is asked for, and what did not change is not sent again", async () => {
  api = deskOf(await startEmulator());
  expect((await fetch(`${api.emulator.url}/`)).status).toBe(404);
  await api.close();
  const address = await look();
  const first = await fetch(address);
  const headers = { "if-none-match": first.headers.get("etag") ?? "" };
  expect((await fetch(address, { headers })).status).toBe(304);
  await api.must("POST", "/gates", { id: "new_one", name: "new_one", rules: [] });
  expect((await fetch(address, { headers })).status).toBe(200);
});

test.each(["desktop", "phone"] as const)(
  "on a %s nothing hangs out of the screen, and the rules for accessible pages hold",
  async (screen) => {
    const address = await look();
    await fill();
    const long = "x".repeat(100);
    await api.must("POST", "/gates", { id: long, name: long, description: "y".repeat(600), rules });
    const places = [
      "",
      `?kind=gate&id=${long}`,
      "?kind=gate&id=checkout_v2",
      "?view=changes",
      "?view=events",
    ];
    // One page has everything that is only narrower on a phone.
    const judged = screen === "desktop" ? places : places.slice(1, 2);
    for (const place of places) {
      const { page } = await browser.open(address + place, screen);
      for (const summary of await page.locator("summary").all()) await summary.click();
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      if (judged.includes(place))
        expect({ place, broken: await brokenRules(page) }).toEqual({ place, broken: [] });
      if (place === places[2]) {
        await page.emulateMedia({ colorScheme: "dark" });
        expect(await brokenRules(page)).toEqual([]);
      }
      // An open page asks the console again and again.
      await page.goto("about:blank");
    }
  },
);

test("a keyboard reaches the search and what it finds", async () => {
  const address = await look();
  await fill();
  const { page } = await browser.open(address);
  await page.keyboard.press("/");
  await page.keyboard.type("SHOP check");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=/);
  expect(await drawnTexts(page, ".objects a")).toEqual(["checkout_v2"]);
});

test("a text of a flag is a text, whatever it says, and nobody but the console is asked", async () => {
  const address = await look();
  const description = hostileTexts.join(" ").replace("\0", "");
  const rules = hostileTexts.map((text) => {
    const value = text.replace("\0", "");
    const conditions = [{ type: "custom_field", field: value, operator: "any", targetValue: [value] }];
    return { ...ruleFor(value.slice(0, 90), 10), conditions, returnValue: { [value]: value } };
  });
  await api.must("POST", "/dynamic_configs", { name: "hostile", description, rules });
  await api.must("PATCH", "/dynamic_configs/hostile", { description: `${description}!`, rules: [] });
  await api.must("PATCH", "/dynamic_configs/hostile", { rules });
  for (const text of hostileTexts)
    await logged(address, {
      eventName: text,
      value: text,
      user: { userID: text },
      metadata: { [text]: text },
    });
  const foreign =
    "img, iframe, link, base, object, main script, main style, [onload], [onerror], [onfocus], [onmouseover], a:not([href^='/'], .skip)";
  const search = `?kind=gate&q=${encodeURIComponent(hostileTexts.join(" "))}`;
  const flag = "?kind=dynamicConfig&id=hostile";
  const { page, requests, errors } = await browser.open(address);
  for (const place of ["?kind=dynamicConfig", "?view=events", "?view=changes", search, flag]) {
    await page.goto(address + place);
    if (place === flag) {
      expect(await page.locator("h1 + p").textContent()).toBe(shownText(`${description}!`));
      const users = hostileTexts.map((userID) => ({ userID }));
      await page.getByLabel("Users, as JSON").fill(JSON.stringify(users));
      await page.getByRole("button", { name: "Ask the SDK" }).click();
      await page.locator(".answers").waitFor();
    }
    expect(await page.locator("h1").count()).toBe(1);
    expect(await page.locator(foreign).count()).toBe(0);
    expect(await page.title()).toMatch(/ · feature console$/);
    const asked = requests.filter((url) => !url.startsWith(address));
    expect({ place, asked, errors }).toEqual({ place, asked: [], errors: [] });
  }
});

// Which names and pages open it at all is in test/emulator/foreign-pages.test.ts.
test("it is to be read: questions of foreign pages and writes are refused, and it shows no key", async () => {
  const address = await look();
  await fill();
  const overSocket = httpTransport(1);
  const asked = JSON.stringify({ kind: "gate", id: "checkout_v2", users: '{"userID":"1"}' });
  const status = async (
    method: "GET" | "POST" | "DELETE",
    path: string,
    headers: Record<string, string> = {},
  ) => {
    const body = method === "POST" ? { body: asked } : {};
    return (await overSocket.send({ method, url: `${api.emulator.url}${path}`, headers, ...body })).status;
  };
  for (const [method, path] of [
    ["DELETE", "/"],
    ["POST", "/"],
    ["GET", "/ui/evaluate"],
  ] as const)
    expect(await status(method, path)).toBe(405);
  const json = { "content-type": "application/json" };
  const own = { ...json, origin: api.emulator.url };
  for (const [headers, expected] of [
    [own, 200],
    [json, 403],
    [{ ...own, origin: "https://evil.example" }, 403],
    [{ ...own, origin: "null" }, 403],
    [{ ...own, "sec-fetch-site": "cross-site" }, 403],
    [{ ...own, "content-type": "text/plain" }, 415],
  ] as const)
    expect({ headers, status: await status("POST", "/ui/evaluate", headers) }).toEqual({
      headers,
      status: expected,
    });
  expect(await status("GET", "/console/v1/gates")).toBe(401);
  const made = await api.must("POST", "/keys", { description: "for the shop", type: "SERVER", scopes: [] });
  const shown = await (await fetch(address)).text();
  expect([String(made.key), "console-only"].some((key) => shown.includes(key))).toBe(false);
  expect((await fetch(`${address}?kind=key`)).status).toBe(404);
});
