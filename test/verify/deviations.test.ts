import { afterEach, expect, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import type { WireReply } from "../../src/emulator/http/delivery";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { consoleOf } from "../../src/tools/import";
import { verify } from "../../src/tools/verify";
import type { HttpServer } from "../support/http-server";
import { type Answering, type RelayedRequest, startRelay } from "../support/relay";

const key = ["console", "test"].join("-");
let emulator: RunningEmulator;
let relay: HttpServer;
afterEach(async () => {
  await relay.close();
  await emulator.close();
});

async function verified(answering: Answering, only?: readonly string[]) {
  emulator = await startEmulator({
    profile: "custom",
    key,
    seed: { gates: [{ name: "checkout", rules: [] }], segments: [{ name: "staff", type: "rule_based" }] },
  });
  relay = await startRelay(emulator.url, answering);
  const environment = {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: relay.url,
    FEATURE_CONSOLE_API_KEY: key,
  };
  return verify(
    { write: true, only },
    {
      context: consoleOf(environment, "", () => undefined).context,
      run: "test",
      report: () => undefined,
      progress: { listed: () => undefined, detailed: () => undefined },
      confirm: () => Promise.resolve(true),
      signal: new AbortController().signal,
    },
  );
}

/** A console whose objects of a path read otherwise. */
const reading =
  (path: RegExp, change: (item: JsonObject) => JsonObject): Answering =>
  async (request, ask) =>
    path.test(request.path) ? changed(await ask(request), change) : ask(request);

function changed(reply: WireReply, change: (item: JsonObject) => JsonObject): WireReply {
  const body = JSON.parse(reply.text) as JsonObject;
  const data = Array.isArray(body.data)
    ? body.data.map((one) => change(one as JsonObject))
    : isObject(body.data)
      ? change(body.data)
      : body.data;
  return { ...reply, text: JSON.stringify({ ...body, data }) };
}

const rulesOf = ({ rules }: JsonObject) => (Array.isArray(rules) ? (rules as JsonObject[]) : []);
const sentTo = ({ method, path }: RelayedRequest, wanted: string, end: RegExp) =>
  method === wanted && end.test(path);
const refused: WireReply = {
  status: 403,
  headers: {},
  text: JSON.stringify({ message: "Forbidden resource" }),
};

const deviations: readonly [name: string, question: string, answer: string, answering: Answering][] = [
  [
    "rounds percentages",
    "finePercentages",
    "rounded",
    reading(/\/gates/, (gate) => ({
      ...gate,
      rules: rulesOf(gate).map((rule) => ({
        ...rule,
        passPercentage: Math.round(Number(rule.passPercentage)),
      })),
    })),
  ],
  [
    "keeps fine percentages",
    "finePercentages",
    "thousandths",
    async (request, ask) => {
      if (!request.body.includes("33.333")) return changed(await ask(request), fine);
      return changed(await ask({ ...request, body: request.body.replace("33.333", "33.33") }), fine);
    },
  ],
  [
    "gives a changed rule a new id",
    "ruleIds",
    "new",
    reading(/\/gates\//, (gate) => ({
      ...gate,
      rules: rulesOf(gate).map((rule) => ({
        ...rule,
        baseID: rule.name === "Verify" ? rule.baseID : "another",
      })),
    })),
  ],
  [
    "counts no versions",
    "countedVersions",
    "otherwise",
    reading(/\/gates/, (gate) => ({ ...gate, version: 7 })),
  ],
  [
    "merges lists",
    "patchedLists",
    "merged",
    reading(/\/gates\//, (gate) => ({
      ...gate,
      rules: [...rulesOf(gate), { name: "Former", passPercentage: 1 }],
    })),
  ],
  [
    "accepts a change of an archived gate",
    "archivedWrite",
    "accepted",
    async (request, ask) => {
      const reply = await ask(request);
      const isPatch = sentTo(request, "PATCH", /\/gates\//) && reply.status === 400;
      return isPatch ? { ...reply, status: 200, text: JSON.stringify({ message: "ok", data: {} }) } : reply;
    },
  ],
  [
    "makes a second gate of the same name",
    "duplicateCreate",
    "accepted",
    async (request, ask) => {
      const reply = await ask(request);
      if (!sentTo(request, "POST", /\/gates$/) || reply.status !== 400) return reply;
      return {
        ...reply,
        status: 201,
        text: JSON.stringify({ message: "ok", data: JSON.parse(request.body) }),
      };
    },
  ],
];

function fine(gate: JsonObject): JsonObject {
  return {
    ...gate,
    rules: rulesOf(gate).map((rule) =>
      rule.passPercentage === 33.33 ? { ...rule, passPercentage: 33.333 } : rule,
    ),
  };
}

test.each(deviations)("a console that %s: %s is %s", async (_, question, answer, answering) => {
  const found = await verified(answering, [question]);
  expect(found.questions).toMatchObject([{ id: question, as: "otherwise", answer }]);
  expect(found.left).toEqual([]);
});

test("a kind that the account lacks is named, and the rest is asked", async () => {
  const found = await verified(
    async (request, ask) => (/\/metric_source/.test(request.path) ? refused : ask(request)),
    ["templateTypes"],
  );
  expect(found.missing).toEqual([{ kind: "metric sources", status: 403 }]);
  expect(found.questions).toMatchObject([{ as: "assumed" }]);
});

test("a key that may only read decides nothing, and says why", async () => {
  const found = await verified(
    async (request, ask) => (request.method === "GET" ? ask(request) : refused),
    ["templateTypes", "keysInReads"],
  );
  expect(found.questions).toMatchObject([
    { id: "keysInReads", as: "undecided" },
    { id: "templateTypes", as: "undecided", answer: expect.stringContaining("403") },
  ]);
});

test("a search for what is left that fails is no empty search", async () => {
  let hasWritten = false;
  const unauthorized: WireReply = {
    ...refused,
    status: 401,
    text: JSON.stringify({ message: "Unauthorized" }),
  };
  const found = verified(
    async (request, ask) => {
      hasWritten ||= request.method !== "GET";
      return hasWritten && sentTo(request, "GET", /\/segments$/) ? unauthorized : ask(request);
    },
    ["templateTypes"],
  );
  await expect(found).rejects.toThrow(/401/);
});

test("members that no definition knows are counted, never shown", async () => {
  const found = await verified(
    reading(/\/gates/, (gate) => ({
      ...gate,
      rules: [{ name: "All", passPercentage: 5, conditions: [{ type: "moon_phase", targetValue: "full" }] }],
    })),
    ["keysInReads"],
  );
  expect(found.unknown).toEqual([{ kind: "gates", objects: 1 }]);
  expect(JSON.stringify(found)).not.toContain("moon_phase");
});

test("a list that does not show new objects yet leaves a question open, and nothing behind", async () => {
  const found = await verified(
    async (request, ask) => {
      const reply = await ask(request);
      if (!sentTo(request, "GET", /\/gates$/)) return reply;
      const body = JSON.parse(reply.text) as { data: JsonObject[] };
      const data = body.data.filter(({ name }) => !String(name).startsWith("fcverify_"));
      return { ...reply, text: JSON.stringify({ ...body, data }) };
    },
    ["listedMembers"],
  );
  expect(found.questions).toMatchObject([
    { as: "undecided", answer: "the list does not show a new gate yet" },
  ]);
  const { context } = consoleOf(
    {
      FEATURE_CONSOLE_PROFILE: "custom",
      FEATURE_CONSOLE_BASE_URL: emulator.url,
      FEATURE_CONSOLE_API_KEY: key,
    },
    "",
    () => undefined,
  );
  const names: unknown[] = [];
  for await (const { name } of context.client.items(
    { method: "GET", path: "/gates", answer: "items", doc: "" } as never,
    {},
  ))
    names.push(name);
  expect(names).toEqual(["checkout"]);
});
