import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Resource } from "../support/driver";
import { configFor, hurriedClock, testKey } from "../support/in-process";
import { type RawClient, rawClient } from "../support/raw-client";
import { startRun } from "../support/run";

// Two stacks, two backends and fresh checkouts over one console: whose an object is, and what a removal does with it.

let emulator: RunningEmulator;
let raw: RawClient;
const folders: string[] = [];
const clock = hurriedClock();

beforeEach(async () => {
  emulator = await startEmulator({ profile: "custom", clock: clock.now });
  const settings = { profile: "custom", baseUrl: emulator.url, apiKey: testKey } as const;
  raw = rawClient({ ...settings, writesPer10s: 100_000, writesPer15min: 100_000 }, emulator);
});
afterEach(async () => {
  await emulator.close();
  await Promise.all(folders.splice(0).map(removeTree));
});

interface Job {
  readonly stack?: string;
  /** Address of the backend; left out: nothing names it. */
  readonly backend?: string;
  readonly folder?: string;
  /** What a person says for this run. */
  readonly says?: Record<string, string>;
  /** Another console than that of the test. */
  readonly at?: RunningEmulator;
}

function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-job-"));
  folders.push(folder);
  return folder;
}

/** One run of `pulumi up` or `pulumi destroy`, in a process of its own. */
function startJob({ stack = "dev", backend, folder = freshFolder(), says = {}, at = emulator }: Job = {}) {
  const { of, lines } = startRun({
    ...{ config: configFor(at), stack, folder, transport: at.transport, ...clock },
    environment: () => ({ ...says, ...(backend === undefined ? {} : { PULUMI_BACKEND_URL: backend }) }),
  });
  return {
    lines,
    folder,
    up: (args: JsonObject, definition: ResourceDefinition = catalog.gate) => of(definition).up(args),
    update: (one: Resource, args: JsonObject) => of(catalog.gate).update(one, args),
    /** The program of the stack has run, so that the run knows its name. */
    remove: async (one: Resource, definition: ResourceDefinition = catalog.gate) => {
      await of(catalog.gate).checked({ key: "another_gate" });
      await of(definition).destroy(one);
    },
    replace: (one: Resource, args: JsonObject) => of(catalog.gate).replace(one, args),
    plan: (one: Resource, args: JsonObject, definition: ResourceDefinition = catalog.gate) =>
      of(definition).plan(one, args),
    destroy: (one: Resource, definition: ResourceDefinition = catalog.gate) => of(definition).destroy(one),
  };
}

const gate = { key: "checkout", name: "Checkout", description: "New checkout" };
const live = (id = "checkout") => raw.gate.get({ id, query: { includeArchiveMetadata: true } });

/** A gate of the stack "before" that the stack "after" has adopted: both states, and the next runs of each. */
async function adopted(folder = freshFolder(), elsewhere = folder) {
  const former = () => startJob({ folder, stack: "before" });
  const next = () => startJob({ folder: elsewhere, stack: "after" });
  const before = await former().up(gate);
  return { folder, before, after: await next().up({ ...gate, adopt: true }), former, next };
}

test("a gate moved to another stack of the folder: what removes it there leaves it alone, and says so", async () => {
  const { before, after, former, next } = await adopted();
  const removing = former();
  emulator.clearRequests();
  await removing.remove(before);
  // An entry of the journal counts in its project.
  expect(emulator.requests.map(({ path }) => path)).toEqual(["/console/v1/project"]);
  expect(removing.lines).toEqual([
    expect.stringMatching(
      /^gate "checkout" stays as it is, and this stack forgets it: the journal shows that another stack took it over on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. To archive or delete it, remove it from the program of that stack\.$/,
    ),
  ]);
  expect(await live()).toMatchObject({ status: "In Progress" });
  await next().remove(after);
  expect(await live()).toMatchObject({ status: "Archived" });
});

test("a destroy, which runs no program, leaves it too; taken back, it is the first stack's again", async () => {
  const { before, after, former, next } = await adopted();
  await former().destroy(before);
  expect(await live()).toMatchObject({ status: "In Progress" });
  const again = await former().up({ ...gate, adopt: true });
  await next().destroy(after);
  expect(await live()).toMatchObject({ status: "In Progress" });
  await former().destroy(again);
  expect(await live()).toMatchObject({ status: "Archived" });
});

test("what moved with `pulumi state move` is the new stack's: its removal archives it", async () => {
  const folder = freshFolder();
  await startJob({ folder, stack: "first" }).up(gate);
  const moved = await startJob({ folder, stack: "before" }).up({ ...gate, adopt: true });
  await startJob({ folder, stack: "after" }).remove(moved);
  expect(await live()).toMatchObject({
    ...{ status: "Archived", archiveReason: "Archived by the Pulumi stack test/after." },
  });
});

test("what another stack made anew under the same key stays, though this stack's notes are gone", async () => {
  const folder = freshFolder();
  const before = await startJob({ folder, stack: "before" }).up(gate);
  await raw.gate.delete({ id: "checkout" });
  await removeTree(path.join(folder, ".feature-console"));
  await startJob({ folder, stack: "after" }).up(gate);
  const removing = startJob({ folder, stack: "before" });
  await removing.remove(before);
  expect(removing.lines).toEqual([expect.stringContaining("another stack created it anew on ")]);
  expect(await live()).toMatchObject({ status: "In Progress" });
});

test("a gate that somebody deleted and made again is not taken for the one that a killed run made", async () => {
  const folder = freshFolder();
  await startJob({ folder }).up(gate);
  await raw.gate.delete({ id: "checkout" });
  await clock.sleep(3_600_000);
  await raw.gate.create({ body: { ...gate, id: "checkout" } });
  await expect(startJob({ folder }).up(gate)).rejects.toThrow('gate "checkout" exists already.');
});

test("a gate whose old object another stack has adopted cannot keep its name under another key: nothing is touched", async () => {
  const { before, former } = await adopted();
  await expect(former().plan(before, { ...gate, key: "pay" })).rejects.toThrow(
    'The name "Checkout" stays taken: gate "checkout" has it, which is not deleted. Choose another name.',
  );
});

test("moved to another console, what somebody has there is not taken, and the new one is there before state forgets the old one", async () => {
  const folder = freshFolder();
  const made = await startJob({ folder }).up(gate);
  const other = await startEmulator({ profile: "custom", clock: clock.now });
  try {
    const settings = { profile: "custom", baseUrl: other.url, apiKey: testKey } as const;
    const there = rawClient(settings, other);
    await there.gate.create({ body: { id: "checkout", name: "Theirs", description: "Theirs" } });
    const move = () => startJob({ folder, at: other, says: { FEATURE_CONSOLE_MOVE: "1" } });
    expect(await move().plan(made, gate)).toMatchObject({ replaces: ["key"], deleteBeforeReplace: false });
    await expect(move().replace(made, gate)).rejects.toThrow('gate "checkout" exists already');
    expect(await there.gate.get({ id: "checkout" })).toMatchObject({ description: "Theirs" });

    await there.gate.delete({ id: "checkout" });
    const job = move();
    const next = await job.replace(made, gate);
    expect(await there.gate.get({ id: "checkout" })).toMatchObject({ description: "New checkout" });
    expect(job.lines).toEqual(['gate "checkout" stays in the other console as it is.']);
    expect(await live()).toMatchObject({ status: "In Progress" });
    // The journal has the new one still, though the state of the old one has gone.
    expect((await startJob({ folder, at: other }).up(gate)).id).toBe(next.id);
  } finally {
    await other.close();
  }
});

const segment = { key: "testers", type: "rule_based", description: "First", onDelete: "archive" };

test("a segment replaced under its key by options stays in use: an archived one could not come back", async () => {
  const folder = freshFolder();
  const made = await startJob({ folder }).up(segment, catalog.segment);
  const job = startJob({ folder });
  const conditions = [{ type: "country", operator: "any", targetValue: ["NZ"] }];
  const changed = { ...segment, rules: [{ name: "NZ", passPercentage: 100, conditions }] };
  // As Pulumi replaces it: check, diff, delete, check without the arguments of last time, create.
  await job.plan(made, changed, catalog.segment);
  await job.destroy(made, catalog.segment);
  await job.up(changed, catalog.segment);
  expect(await raw.segment.get({ id: "testers" })).toMatchObject({ rules: [{ name: "NZ" }] });
  expect(job.lines.slice(1)).toEqual([
    'segment "testers" is changed in place: a key can have one object at a time, and an archived one would not come back.',
  ]);
});

test("deleteBeforeReplace: false is refused where the new object would have the key of the old one", async () => {
  const folder = freshFolder();
  const listed = { key: "testers", type: "id_list", onImmutableChange: "replace" };
  const made = await startJob({ folder }).up(listed, catalog.segment);
  const byRules = { ...listed, type: "rule_based", __program: { createsFirst: true } };
  await expect(startJob({ folder }).plan(made, byRules, catalog.segment)).rejects.toThrow(
    'segment "testers" cannot be replaced with deleteBeforeReplace: false: a key can have one object at a time. Nothing was changed.',
  );
});

test("a note of an adoption counts for a year, one of a create for a week", async () => {
  const { folder, before, former } = await adopted();
  const older = (at: string) => String(Number(at) - 300 * 24 * 3_600_000);
  for (const file of journals(folder)) writeFileSync(file, contentOf(file).replace(/(?<="at":)\d+/g, older));
  await former().remove(before);
  expect(await live()).toMatchObject({ status: "In Progress" });
});

test("from another folder nothing shows it: the removal archives it, as its preview says it may", async () => {
  const { before, former } = await adopted(freshFolder(), freshFolder());
  await former().remove(before);
  expect(await live()).toMatchObject({ status: "Archived" });
});

const one = "file:///srv/state";
const other = "s3://team:not-a-password@state/flags?region=eu-west-1";
const changed = { ...gate, description: "Ours" };

test("the same stack name on another backend, in the same folder, is another stack", async () => {
  const folder = freshFolder();
  const jobAt = (backend: string) => startJob({ folder, backend });
  await jobAt(one).up(gate);
  await expect(jobAt(other).up(gate)).rejects.toThrow('gate "checkout" exists already.');
  await jobAt(one).remove(await jobAt(one).up(gate));
  await expect(jobAt(other).up(changed)).rejects.toThrow(
    /^Cannot create gate "checkout": gate "checkout" exists already and is archived, with the reason "Archived by the Pulumi stack test\/dev \(backend [\w-]{12}\)\."\. It differs in description\. Set adopt: true/,
  );
  expect(await live()).toMatchObject({ status: "Archived" });
  await startJob({ backend: one }).up(changed);
  expect(await live()).toMatchObject({ status: "In Progress", description: "Ours" });
});

test("of a backend's address nothing but a digest is written down", async () => {
  const folder = freshFolder();
  const made = await startJob({ folder, backend: other }).up(gate);
  await startJob({ folder, backend: other }).remove(made);
  const written = [JSON.stringify(made), JSON.stringify(await live()), ...journals(folder).map(contentOf)];
  for (const text of written) expect(text).not.toMatch(/s3:|not-a-password|eu-west-1/);
  expect(made.outputs.__stack).toMatch(/^test\/dev@[\w-]{12}$/);
  // Whoever has another password has the same backend.
  await startJob({ backend: other.replace("not-a-password", "nor-is-this") }).up(changed);
  expect(await live()).toMatchObject({ status: "In Progress" });
});

test("what version 0.1 wrote names no backend, and counts as before: journals, states and archive reasons", async () => {
  const folder = freshFolder();
  const made = await startJob({ folder }).up(gate);
  expect(made.outputs.__stack).toBe("test/dev");
  await expect(startJob({ folder, backend: one }).up(gate)).resolves.toMatchObject({ id: "checkout" });
  await startJob({ folder, backend: one }).destroy(made);
  const { archiveReason } = await live();
  expect(archiveReason).toMatch(/^Archived by the Pulumi stack test\/dev \(backend [\w-]{12}\)\.$/);
  await raw.gate.unarchive({ id: "checkout", body: {} });
  const body = { archiveReason: "Archived by the Pulumi stack test/dev." };
  await raw.gate.archive({ id: "checkout", body });
  await startJob({ backend: one }).up(changed);
  expect(await live()).toMatchObject({ status: "In Progress", description: "Ours" });
});

test("what this stack archived comes back on any machine, where the console shows the reason", async () => {
  const made = await startJob({ backend: one }).up(gate);
  await startJob({ backend: one }).remove(made);
  const back = startJob({ backend: one });
  await back.up({ ...gate, description: "After the rollback" });
  expect(await live()).toMatchObject({ status: "In Progress", description: "After the rollback" });
  expect(back.lines).toEqual(['gate "checkout" was archived: brought back and in line with the program.']);
});

test("where the console shows no reason, nobody is named, and the way is", async () => {
  const config = { key: "limits", description: "Ours", defaultValue: { most: 3 } };
  const made = await startJob({ backend: one }).up(config, catalog.dynamicConfig);
  await startJob({ backend: one }).remove(made, catalog.dynamicConfig);
  const changed = { ...config, description: "After the rollback" };
  await expect(startJob({ backend: one }).up(changed, catalog.dynamicConfig)).rejects.toThrow(
    'dynamic config "limits" exists already and is archived; it is not known by whom. It differs in description. ' +
      "Set adopt: true to bring it back and make it match the program, or choose another key.",
  );
  await startJob({ backend: one }).up({ ...changed, adopt: true }, catalog.dynamicConfig);
  expect(await raw.dynamicConfig.get({ id: "limits" })).toMatchObject({ description: "After the rollback" });
});

const contentOf = (file: string) => readFileSync(file, "utf8");

function journals(folder: string): string[] {
  const place = path.join(folder, ".feature-console", "journal");
  return readdirSync(place).map((name) => path.join(place, name));
}

test("a line that a kill or a full disk has torn takes no other with it", async () => {
  const folder = freshFolder();
  const both = [{ ...gate, key: "first_gate", name: "First" }, gate];
  for (const args of both) {
    await startJob({ folder }).up(args);
    appendFileSync(journals(folder)[0] ?? "", '{"object":"gate \\"torn\\"","at":17954');
  }
  // A run that knows nothing but the journal takes over what each of the others made.
  for (const args of both) expect(await startJob({ folder }).up(args)).toMatchObject({ id: args.key });
});

test("what is left of a journal that was to be written anew is no other stack's", async () => {
  const folder = freshFolder();
  const made = await startJob({ folder, stack: "after" }).up(gate);
  const before = { ...made, outputs: { ...made.outputs, __self: "another" } };
  const [file = ""] = journals(folder);
  renameSync(file, `${file}.4711`);
  const removing = startJob({ folder, stack: "before" });
  await removing.remove(before);
  expect(await live()).toMatchObject({ status: "Archived" });
});
