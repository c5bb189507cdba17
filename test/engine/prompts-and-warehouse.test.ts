import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Transport, WireRequest } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectChange, expectQuiet, fault, live, refreshed, start, subject } from "../laws/harness";
import type { SubjectOptions } from "../laws/subject";
import { allOf } from "../support/raw-client";

/** Requests and answers, as they went over the wire. */
let sent: WireRequest[] = [];
let answered: string[] = [];
const begin = (definition: ResourceDefinition, options: SubjectOptions = {}) => {
  [sent, answered] = [[], []];
  const through = ({ send }: Transport): Transport => ({
    async send(request) {
      sent.push(request);
      const answer = await send(request);
      answered.push(answer.text);
      return answer;
    },
  });
  return start(definition, { through, ...options });
};
const bodiesOf = (method: string, end: string): JsonObject[] =>
  sent
    .filter((one) => one.method === method && new URL(one.url).pathname.endsWith(end))
    .map(({ body }) => JSON.parse(String(body)) as JsonObject);

const hush = ["hush", "word"].join("-");

describe("a prompt", () => {
  const content = { name: "First", prompts: [{ role: "user", content: "Hello" }], topP: 0.5 };
  const greeting = { name: "greeting", description: "Greets", content };
  beforeEach(async () => {
    await begin(catalog.prompt);
  });

  test("has a core tag, which reads show with a star", async () => {
    await subject.raw.tag.create({ body: { name: "core", description: "", isCore: true } });
    const tagged = { ...greeting, tags: ["core"] };
    await expectQuiet(await refreshed(await subject.up(tagged)), tagged);
  });

  test("[P1] posts its content as a version, and another one for each change of it alone", async () => {
    const versions = () => bodiesOf("POST", "/versions");
    const made = await subject.up(greeting);
    const first = { name: "First", prompts: content.prompts, top_p: 0.5 };
    expect(versions()).toEqual([first]);
    await expectQuiet(made, greeting);
    const described = { ...greeting, description: "Greets people" };
    const updated = await subject.update(made, described);
    expect(versions()).toHaveLength(1);
    const changed = { ...described, content: { ...content, name: "Second", topP: 0.9 } };
    await expectChange(updated, changed);
    const again = await subject.update(updated, changed);
    expect(versions().at(-1)).toEqual({ ...first, name: "Second", top_p: 0.9 });
    await expectQuiet(await refreshed(again), changed);
  });

  test("[P1] sends the secret headers of a workflow with its version, and no answer repeats them", async () => {
    const headers = (value: string) => [{ name: "authorization", value }];
    const made = await subject.up({ ...greeting, authWorkflowHeaders: headers(hush) });
    await subject.update(made, { ...greeting, authWorkflowHeaders: headers(`${hush}-2`) });
    expect(bodiesOf("POST", "/versions")).toMatchObject([
      { name: "First", auth_workflow_headers: headers(hush) },
      { name: "First", auth_workflow_headers: headers(`${hush}-2`) },
    ]);
    expect(answered.join()).not.toContain(hush);
    const reason = "authWorkflowHeaders: they belong to a version, which takes content; set content";
    expect(await subject.problems({ name: "greeting", authWorkflowHeaders: headers(hush) })).toEqual([
      { property: "", reason },
    ]);
  });

  test("[P1] stays when it is destroyed, and is taken with adopt alone", async () => {
    const made = await subject.up(greeting);
    await subject.destroy(made);
    expect(subject.lines.join()).toContain(
      'prompt "greeting" stays as it is. The API cannot delete a prompt.',
    );
    expect(await live(made.id)).toMatchObject({ name: "greeting" });
    subject.nextRun();
    await expect(subject.up(greeting)).rejects.toThrow(/exists already/);
    expect((await subject.up({ ...greeting, adopt: true })).id).toBe(made.id);
  });

  test("[P1] cannot change what only its creation takes, and no option replaces what nothing deletes", async () => {
    const made = await subject.up({ ...greeting, tags: ["shop"] });
    const [problem] = await subject.problems({ ...greeting, tags: ["other"] }, made.inputs);
    expect(problem?.reason).toMatch(/sets it at creation only\. Put \["shop"\] back$/);
    const opted = await subject.problems({ ...greeting, onImmutableChange: "replace" });
    expect(opted[0]?.reason).toMatch(/^onImmutableChange: .*there is no such argument|unknown/);
  });

  test("[P2] is found in no list, where the list is a 404", async () => {
    fault({ method: "GET", path: "/prompts", status: 404 });
    expect(await allOf(subject.raw.prompt.list())).toEqual([]);
    expect(subject.emulator.requests.at(-1)?.status).toBe(404);
  });
});

describe("an ingestion", () => {
  const events = { sourceName: "shop::web", dataset: "Events", type: "snowflake-v2" };
  const place = { source_name: "shop::web", dataset: "Events", type: "snowflake-v2" } as const;
  const shown = (dataset: string) => subject.raw.ingestion.get({ query: { ...place, dataset } });
  beforeEach(async () => {
    await begin(catalog.ingestion);
  });

  test("[P3] is led to by source, dataset and type: in the query of reads, in the body of writes", async () => {
    const made = await subject.up({ ...events, query: "select 1" });
    expect(made.id).toBe("shop::web::Events::snowflake-v2");
    const other = await subject.up({ ...events, dataset: "Metrics" });
    await subject.update(made, { ...events, query: "select 2", enabled: false });
    expect(bodiesOf("PATCH", "/ingestion")).toEqual([{ ...place, query: "select 2", enabled: false }]);
    expect(await shown("Events")).toMatchObject({ enabled: false, data: { query: "select 2" } });
    expect(await shown("Metrics")).toMatchObject({ enabled: true });
    await subject.destroy(other);
    await expect(shown("Metrics")).rejects.toThrow(/answered 404/);
    expect(await shown("Events")).toMatchObject({ enabled: false });
  });

  test("[P3] that somebody switched off is drift; an edit of its query is not seen, as its page says", async () => {
    const args = { ...events, enabled: true, query: "select 1" };
    const made = await subject.up(args);
    const byHand = (body: JsonObject) => subject.raw.ingestion.patch({ body: { ...place, ...body } });
    await byHand({ query: "select 3" });
    await expectQuiet(await refreshed(made), args);
    await byHand({ enabled: false });
    await expectChange(await refreshed(made), args);
  });

  test("is adopted by an id that names its place, and an id that names none is refused", async () => {
    await subject.raw.ingestion.create({ body: { source_name: "a", dataset: "Events", type: "s3" } });
    const args = { sourceName: "a", dataset: "Events", type: "s3" };
    expect((await subject.up({ ...args, __adopt: "a::Events::s3" })).id).toBe("a::Events::s3");
    await expect(subject.get("nowhere")).rejects.toThrow(
      'ingestion "nowhere" cannot be read: its id has to be made of sourceName, dataset, type, joined by "::".',
    );
  });

  test("needs the columns of its dataset where it has a mapping", async () => {
    expect(await subject.problems({ ...events, columnMapping: { eventName: "event" } })).toEqual([
      { property: "", reason: "columnMapping.timestamp: missing; a mapping of Events needs it" },
    ]);
  });
});

test.each(["usual", "missing"] as const)(
  "[P4] a schedule is set where a read finds it %s, and only its hour is sent later",
  async (unsetSchedules) => {
    await begin(catalog.ingestionSchedule, { behaviour: { unsetSchedules } });
    const hourIs = async (hour: number) =>
      expect(await subject.raw.ingestionSchedule.get({ query: { dataset: "Events" } })).toMatchObject({
        scheduled_hour_pst: hour,
      });
    const made = await subject.up({ dataset: "Events", scheduledHourPST: 3 });
    expect(made.id).toBe("Events");
    await hourIs(3);
    await subject.update(made, { dataset: "Events", scheduledHourPST: 4 });
    await hourIs(4);
    await subject.destroy(made);
    await hourIs(4);
    expect(subject.lines.join()).toContain("stays as it is. The API cannot delete a schedule.");
  },
);

describe("the connection to a warehouse", () => {
  const bigquery = { project: "shop", privateKey: hush };

  test("[P5] sends what changed, reads nothing, and stays", async () => {
    await begin(catalog.warehouseConnection);
    const made = await subject.up({ bigquery });
    await expectQuiet(await refreshed(made), { bigquery });
    const databricksIngestion = { token: hush, host: "shop.example.com", path: "/sql" };
    const both = { bigquery, databricksIngestion };
    const there = await subject.update(made, both);
    expect(bodiesOf("POST", "/connection/databricks")).toEqual([databricksIngestion]);
    expect(bodiesOf("PATCH", "/wh_connections")).toEqual([{ bigquery }]);
    await expectQuiet(there, both);
    const before = sent.length;
    await subject.destroy(there);
    expect(sent).toHaveLength(before);
    expect(sent.filter(({ method, url }) => method === "GET" && !url.endsWith("/project"))).toEqual([]);
    expect(subject.lines.join()).toContain("stays as it is. The API cannot remove a connection.");
  });

  test("[P5] shows its credentials in no preview, refusal, answer or file, also where the console repeats them", async () => {
    const text = JSON.stringify({ status: 400, message: `The key ${hush} is no key` });
    const refusal = { status: 400, headers: { "content-type": "application/json" }, text };
    const through = ({ send }: Transport): Transport => ({
      send: async (request) => (request.method === "PATCH" ? refusal : send(request)),
    });
    await begin(catalog.warehouseConnection, { through });
    expect(await subject.problems({ bigquery, __program: { preview: true } })).toEqual([]);
    const failure = await subject.up({ bigquery }).catch(String);
    expect(failure).toContain("The key [secret] is no key");
    const problems = JSON.stringify(await subject.problems({ bigquery: { ...bigquery, project: 5 } }));
    expect(problems).toContain("bigquery");
    const files = readdirSync(subject.folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => readFileSync(path.join(one.parentPath, one.name), "utf8"));
    const lines = subject.lines.join("\n");
    for (const shown of [lines, failure, problems, ...files]) expect(shown).not.toContain(hush);
    expect(lines).toContain("bigquery");
  });
});
