import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Transport, WireRequest } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { quiet } from "../laws/quiet";
import { type Resource, type Subject, type SubjectOptions, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

/** Requests and answers, as they went over the wire. */
let sent: WireRequest[] = [];
let answered: string[] = [];
const start = async (definition: ResourceDefinition, options: SubjectOptions = {}) => {
  [sent, answered] = [[], []];
  const recording = ({ send }: Transport): Transport => ({
    async send(request) {
      sent.push(request);
      const answer = await send(request);
      answered.push(answer.text);
      return answer;
    },
  });
  subject = await startSubject(definition, { ...options, through: options.through ?? recording });
};
const bodiesOf = (method: string, end: string): JsonObject[] =>
  sent
    .filter((one) => one.method === method && new URL(one.url).pathname.endsWith(end))
    .map(({ body }) => JSON.parse(String(body)) as JsonObject);

const hush = ["hush", "word"].join("-");

describe("a prompt", () => {
  const content = { name: "First", prompts: [{ role: "user", content: "Hello" }], topP: 0.5 };
  const greeting = { name: "greeting", description: "Greets", content };

  test("[P1] posts its content as a version, and another one for each change of it alone", async () => {
    await start(catalog.prompt);
    const made = await subject.up(greeting);
    const first = { name: "First", prompts: content.prompts, top_p: 0.5 };
    expect(bodiesOf("POST", "/versions")).toEqual([first]);
    expect(await subject.diff(made, greeting)).toEqual(quiet);
    const described = { ...greeting, description: "Greets people" };
    const updated = await subject.update(made, described);
    expect(bodiesOf("POST", "/versions")).toHaveLength(1);
    const changed = { ...described, content: { ...content, name: "Second", topP: 0.9 } };
    expect((await subject.diff(updated, changed)).quiet).toBe(false);
    const again = await subject.update(updated, changed);
    expect(bodiesOf("POST", "/versions").at(-1)).toEqual({ ...first, name: "Second", top_p: 0.9 });
    expect(await subject.diff((await subject.refresh(again)) as Resource, changed)).toEqual(quiet);
  });

  test("[P1] sends the secret headers of a workflow with its version, and no answer repeats them", async () => {
    await start(catalog.prompt);
    const headers = [{ name: "authorization", value: hush }];
    const made = await subject.up({ ...greeting, authWorkflowHeaders: headers });
    expect(bodiesOf("POST", "/versions")[0]).toMatchObject({ name: "First", auth_workflow_headers: headers });
    const other = [{ name: "authorization", value: `${hush}-2` }];
    await subject.update(made, { ...greeting, authWorkflowHeaders: other });
    expect(bodiesOf("POST", "/versions")[1]).toMatchObject({ name: "First", auth_workflow_headers: other });
    expect(answered.join()).not.toContain(hush);
    expect(await subject.problems({ name: "greeting", authWorkflowHeaders: headers })).toEqual([
      {
        property: "",
        reason: "authWorkflowHeaders: they belong to a version, which takes content; set content",
      },
    ]);
  });

  test("[P1] stays when it is destroyed, and is taken with adopt alone", async () => {
    await start(catalog.prompt);
    const made = await subject.up(greeting);
    await subject.destroy(made);
    expect(subject.lines.join()).toContain(
      'prompt "greeting" stays as it is. The API cannot delete a prompt.',
    );
    expect(await subject.raw.prompt.get({ id: made.id })).toMatchObject({ name: "greeting" });
    subject.nextRun();
    await expect(subject.up(greeting)).rejects.toThrow(/exists already/);
    expect((await subject.up({ ...greeting, adopt: true })).id).toBe(made.id);
  });

  test("[P1] cannot change what only its creation takes, and no option replaces what nothing deletes", async () => {
    await start(catalog.prompt);
    const made = await subject.up({ ...greeting, tags: ["shop"] });
    const [problem] = await subject.problems({ ...greeting, tags: ["other"] }, made.inputs);
    expect(problem?.reason).toMatch(/sets it at creation only\. Put \["shop"\] back$/);
    const opted = await subject.problems({ ...greeting, onImmutableChange: "replace" });
    expect(opted[0]?.reason).toMatch(/^onImmutableChange: .*there is no such argument|unknown/);
  });

  test("[P2] is found in no list, where the list is a 404", async () => {
    await start(catalog.prompt);
    subject.emulator.addFaults([{ method: "GET", path: "/prompts", status: 404, times: 1 }]);
    const listed: unknown[] = [];
    for await (const one of subject.raw.prompt.list()) listed.push(one);
    expect([listed, subject.emulator.requests.at(-1)?.status]).toEqual([[], 404]);
  });
});

describe("an ingestion", () => {
  const events = { sourceName: "shop::web", dataset: "Events", type: "snowflake-v2" };

  test("[P3] is led to by source, dataset and type: in the query of reads, in the body of writes", async () => {
    await start(catalog.ingestion);
    const made = await subject.up({ ...events, query: "select 1" });
    expect(made.id).toBe("shop::web::Events::snowflake-v2");
    const other = await subject.up({ ...events, dataset: "Metrics" });
    const off = { ...events, query: "select 2", enabled: false };
    await subject.update(made, off);
    expect(bodiesOf("PATCH", "/ingestion")).toEqual([
      {
        ...{ source_name: "shop::web", dataset: "Events", type: "snowflake-v2" },
        ...{ query: "select 2", enabled: false },
      },
    ]);
    const place = { type: "snowflake-v2", source_name: "shop::web" };
    const shown = (dataset: string) => subject.raw.ingestion.get({ query: { ...place, dataset } });
    expect(await shown("Events")).toMatchObject({ enabled: false, data: { query: "select 2" } });
    expect(await shown("Metrics")).toMatchObject({ enabled: true });
    await subject.destroy(other);
    await expect(shown("Metrics")).rejects.toThrow(/answered 404/);
    expect(await shown("Events")).toMatchObject({ enabled: false });
  });

  test("[P3] that somebody switched off is drift; an edit of its query is not seen, as its page says", async () => {
    await start(catalog.ingestion);
    const args = { ...events, enabled: true, query: "select 1" };
    const made = await subject.up(args);
    const body = { source_name: "shop::web", dataset: "Events", type: "snowflake-v2" } as const;
    await subject.raw.ingestion.patch({ body: { ...body, query: "select 3" } });
    expect(await subject.diff((await subject.refresh(made)) as Resource, args)).toEqual(quiet);
    await subject.raw.ingestion.patch({ body: { ...body, enabled: false } });
    expect((await subject.diff((await subject.refresh(made)) as Resource, args)).quiet).toBe(false);
  });

  test("is adopted by an id that names its place, and an id that names none is refused", async () => {
    await start(catalog.ingestion);
    await subject.raw.ingestion.create({ body: { source_name: "a", dataset: "Events", type: "s3" } });
    const args = { sourceName: "a", dataset: "Events", type: "s3" };
    expect((await subject.up({ ...args, __adopt: "a::Events::s3" })).id).toBe("a::Events::s3");
    await expect(subject.get("nowhere")).rejects.toThrow(
      'ingestion "nowhere" cannot be read: its id has to be made of sourceName, dataset, type, joined by "::".',
    );
  });

  test("needs the columns of its dataset where it has a mapping", async () => {
    await start(catalog.ingestion);
    const columnMapping = { eventName: "event" };
    expect(await subject.problems({ ...events, columnMapping })).toEqual([
      { property: "", reason: "columnMapping.timestamp: missing; a mapping of Events needs it" },
    ]);
  });
});

test.each(["usual", "missing"] as const)(
  "[P4] a schedule is set where a read finds it %s, and only its hour is sent later",
  async (unsetSchedules) => {
    await start(catalog.ingestionSchedule, { behaviour: { unsetSchedules } });
    const made = await subject.up({ dataset: "Events", scheduledHourPST: 3 });
    expect(made.id).toBe("Events");
    const query = { query: { dataset: "Events" } };
    expect(await subject.raw.ingestionSchedule.get(query)).toMatchObject({ scheduled_hour_pst: 3 });
    await subject.update(made, { dataset: "Events", scheduledHourPST: 4 });
    expect(await subject.raw.ingestionSchedule.get(query)).toMatchObject({ scheduled_hour_pst: 4 });
    await subject.destroy(made);
    expect(await subject.raw.ingestionSchedule.get(query)).toMatchObject({ scheduled_hour_pst: 4 });
    expect(subject.lines.join()).toContain("stays as it is. The API cannot delete a schedule.");
  },
);

describe("the connection to a warehouse", () => {
  const bigquery = { project: "shop", privateKey: hush };

  test("[P5] sends what changed, reads nothing, and stays", async () => {
    await start(catalog.warehouseConnection);
    const made = await subject.up({ bigquery });
    expect(bodiesOf("PATCH", "/wh_connections")).toEqual([{ bigquery }]);
    expect(await subject.diff((await subject.refresh(made)) as Resource, { bigquery })).toEqual(quiet);
    const ingestion = { token: hush, host: "shop.example.com", path: "/sql" };
    const both = { bigquery, databricksIngestion: ingestion };
    const there = await subject.update(made, both);
    expect(bodiesOf("POST", "/connection/databricks")).toEqual([ingestion]);
    expect(bodiesOf("PATCH", "/wh_connections")).toHaveLength(1);
    expect(await subject.diff(there, both)).toEqual(quiet);
    const before = sent.length;
    await subject.destroy(there);
    expect(sent.slice(before)).toEqual([]);
    const read = sent.filter(({ method, url }) => method === "GET" && !url.endsWith("/project"));
    expect(read).toEqual([]);
    expect(subject.lines.join()).toContain("stays as it is. The API cannot remove a connection.");
  });

  test("[P5] shows its credentials in no preview, refusal, answer or file, also where the console repeats them", async () => {
    const echo = JSON.stringify({ status: 400, message: `The key ${hush} is no key` });
    await start(catalog.warehouseConnection, {
      through: ({ send }) => ({
        send: (request) =>
          request.method === "PATCH"
            ? Promise.resolve({ status: 400, headers: { "content-type": "application/json" }, text: echo })
            : send(request),
      }),
    });
    expect(await subject.problems({ bigquery, __program: { preview: true } })).toEqual([]);
    const refusal = await subject.up({ bigquery }).catch(String);
    expect(refusal).toContain("The key [secret] is no key");
    const problems = await subject.problems({ bigquery: { ...bigquery, project: 5 } });
    expect(JSON.stringify(problems)).toMatch(/bigquery/);
    const files = readdirSync(subject.folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => readFileSync(path.join(one.parentPath, one.name), "utf8"));
    for (const text of [subject.lines.join("\n"), refusal, JSON.stringify(problems), ...files])
      expect(text).not.toContain(hush);
    expect(subject.lines.join("\n")).toContain("bigquery");
  });
});
