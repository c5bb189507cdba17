import { afterEach, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator, type Seed } from "../../src/emulator";
import type { WireReply } from "../../src/emulator/http/delivery";
import { rendered } from "../../src/tools/render/report";
import { readQuestions } from "../../src/tools/verify/read-questions";
import { verifyReport } from "../../src/tools/verify/report";
import { questions, verify } from "../../src/tools/verify/verify";
import { type HttpServer, serveHttp } from "../support/http-server";
import type { Answering } from "../support/relay";
import {
  doneOtherwise,
  reading,
  refusal,
  reported,
  sentTo,
  shownOtherwise,
  storedOtherwise,
  unfound,
  withBody,
  withoutNew,
} from "./deviations/deviant";
import { answeringOtherwise, clock, key, namesIn, portsFor } from "./run";

const few: Seed = {
  gates: [{ name: "checkout", rules: [] }],
  segments: [{ name: "staff", type: "rule_based" }],
};
/** Enough gates that their list has pages. */
const several: Seed = { ...few, gates: ["a", "b", "c", "d", "e"].map((name) => ({ name, rules: [] })) };

let emulator: Emulator;
afterEach(() => emulator.close());

function verified(answering: Answering, only?: readonly string[], seed: Seed = few) {
  emulator = createEmulator({ profile: "custom", key, seed, clock: clock.now });
  return verify({ write: true, only }, portsFor(answeringOtherwise(emulator.transport, answering)));
}

const refused = refusal(403, "Forbidden resource");

const deviations = [...shownOtherwise, ...storedOtherwise, ...doneOtherwise];

test.each(deviations)("a console that $console: $told", async ({ told, answering }) => {
  const [, id = "", answer, detail] = /^(\w+): (\w+)(?: \((\w+)\))?$/.exec(told) ?? [];
  const found = await verified(answering(), [id], several);
  const isDetailed = detail === undefined ? {} : { detail };
  expect(found.questions).toMatchObject([{ id, as: "otherwise", answer, ...isDetailed }]);
  expect(found.left).toEqual([]);
  expect(rendered(verifyReport(found), "text")).toContain(`Otherwise than assumed (1)\n  ${id}`);
});

test("a deviation is planted for every question that no switch decides, and each once", () => {
  const open = questions.filter(({ row }) => row !== undefined).map(({ id }) => id);
  expect(open.filter((id) => !deviations.some(({ told }) => told.startsWith(`${id}: `)))).toEqual([]);
  expect(new Set(deviations.map(({ console }) => console)).size).toBe(deviations.length);
  expect(deviations.length + reported.length + unfound.length).toBeGreaterThanOrEqual(35);
});

test.each(reported)("a console that $console: the report says so", async ({ answering, told }) => {
  const found = await verified(answering(), ["templateTypes"], several);
  expect(rendered(verifyReport(found), "text")).toMatch(told);
  expect(found.questions).toMatchObject([{ as: "assumed" }]);
});

test.each(unfound)("a console that $console is not found: $told.because", async ({ answering, told }) => {
  const found = await verified(answering(), told.only, several);
  expect(found.questions.filter(({ as }) => as !== "assumed")).toEqual([]);
  expect(found).toMatchObject({ unknown: [], missing: [], left: [] });
});

test("a list that answers HTML ends the run with one line, before any write", async () => {
  const html: WireReply = { status: 200, headers: { "content-type": "text/html" }, text: "<html></html>" };
  const found = verified(async (request, ask) =>
    /\/metrics\/list$/.test(request.path) ? html : ask(request),
  );
  await expect(found).rejects.toThrow(/^Cannot read the metrics: GET .* \(text\/html\)\. Check/);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

const readingAlone: Answering = async (request, ask) => (request.method === "GET" ? ask(request) : refused);

test("a key that may only read decides nothing, and says why", async () => {
  const found = await verified(readingAlone, ["templateTypes", "keysInReads"]);
  expect(found.questions).toMatchObject([
    { id: "keysInReads", as: "undecided" },
    { id: "templateTypes", as: "undecided", answer: expect.stringContaining("403") },
  ]);
});

test("a key that may only read is not asked for one write after another", async () => {
  const { questions: asked, writes } = await verified(readingAlone);
  const unasked = asked.filter(({ answer }) => answer === "this key may not write (403)");
  expect(unasked).toHaveLength(questions.length - readQuestions.length - writes);
  expect(writes).toBe(3);
});

test("a search for what is left that fails is no empty search", async () => {
  let hasWritten = false;
  const found = verified(
    async (request, ask) => {
      hasWritten ||= request.method !== "GET";
      return hasWritten && sentTo(request, "GET", /\/segments$/) ? refusal(401) : ask(request);
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
      return sentTo(request, "GET", /\/gates$/) ? withBody(reply, withoutNew) : reply;
    },
    ["listedMembers"],
  );
  expect(found.questions).toMatchObject([
    { as: "undecided", answer: "the list does not show a new gate yet" },
  ]);
  expect(await namesIn(emulator.transport, "/gates")).toEqual(["checkout"]);
});

describe("an address where something else answers", () => {
  let server: HttpServer;
  let methods: string[];
  afterEach(() => server.close());

  async function serve(status: number, body: string): Promise<void> {
    methods = [];
    server = await serveHttp((request, response) => {
      methods.push(String(request.method));
      const type = body.startsWith("{") ? "application/json" : "text/html";
      response.writeHead(status, { "content-type": type }).end(body);
    });
  }

  const page = "<html></html>";
  const says = (message: string) => JSON.stringify({ message });
  const notJson = "answered 200 with something that is not the console's JSON (text/html). ";
  const address = "Check that feature-console:baseUrl is the address of the API";
  const noList = "succeeded, but the answer is no list of gates. ";
  const other = "Another service answers";
  const refusal = "Unsupported API version";
  const version = " a console of another version";

  test.each<[what: string, status: number, body: string, start: string, then: string]>([
    ["a web page", 200, page, notJson, address],
    ["a web page that is missing", 404, page, "answered 404: no message. ", address],
    ["a JSON API of something else", 200, '{"hello":"world"}', noList, other],
    ["a JSON API that has no such route", 404, says("Not Found"), "answered 404: Not Found. ", other],
    ["a console that is too old", 404, says("Cannot GET /console/v1/gates"), "answered 404: ", version],
    ["a console of another envelope", 200, '{"version":1,"results":[{"id":"a"}]}', "", version],
    ["a console that refuses the version", 400, says(refusal), `answered 400: ${refusal}. `, version],
    ["a redirect", 302, "", "answered 302, a redirect, which is not followed", ""],
    ["a wrong key", 401, says(`An invalid API key was sent. Key: ${key}`), "answered 401: ", "Check the key"],
  ])("%s ends the run with one clear line, and nothing is written", async (_, status, body, start, then) => {
    await serve(status, body);
    const run = verify({ write: true }, portsFor(server.url));
    const { message } = await run.then(
      () => new Error("it came to its end"),
      (thrown: Error) => thrown,
    );
    expect(message.slice(0, `GET /gates ${start}`.length)).toBe(`GET /gates ${start}`);
    expect(message.slice(`GET /gates ${start}`.length)).toContain(then);
    expect([message.includes("\n"), message.includes(key)]).toEqual([false, false]);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  });
});
