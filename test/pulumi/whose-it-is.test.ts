import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { Resource } from "../support/driver";
import { freshFolder } from "../support/folders";
import { contentOf, emulator, type Job, journals, raw, type StartedJob, start, startJob } from "./stage";

// Two stacks, two backends and fresh checkouts over one console: whose an object is, and what a removal does with it.

beforeEach(() => start());

const gate = { key: "checkout", name: "Checkout", description: "New checkout" };
const changed = { ...gate, description: "Ours" };
const live = () => raw.gate.get({ id: "checkout", query: { includeArchiveMetadata: true } });
const isInUse = async () => expect(await live()).toMatchObject({ status: "In Progress" });
const isArchived = async () => expect(await live()).toMatchObject({ status: "Archived" });

/** A run whose program has the resource no more. The program has run, so that the run knows the name of its stack. */
async function remove(
  { checked, of }: StartedJob,
  one: Resource,
  definition: ResourceDefinition = catalog.gate,
) {
  await checked({ key: "another_gate" });
  await of(definition).destroy(one);
}

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
  await remove(removing, before);
  // An entry of the journal counts in its project.
  expect(emulator.requests.map(({ path: to }) => to)).toEqual(["/console/v1/project"]);
  expect(removing.lines).toEqual([
    expect.stringMatching(
      /^gate "checkout" stays as it is, and this stack forgets it: the journal shows that another stack took it over on \d{4}-\d\d-\d\d\. To archive or delete it, remove it from the program of that stack\.$/,
    ),
  ]);
  await isInUse();
  // Its old object is not deleted: another key cannot have its name, and nothing is touched.
  await expect(former().plan(before, { ...gate, key: "pay" })).rejects.toThrow(
    'The name "Checkout" stays taken: gate "checkout" has it, which is not deleted. Choose another name.',
  );
  await remove(next(), after);
  await isArchived();
});

test("a destroy, which runs no program, leaves it too; taken back, it is the first stack's again", async () => {
  const { before, after, former, next } = await adopted();
  await former().destroy(before);
  await isInUse();
  const again = await former().up({ ...gate, adopt: true });
  await next().destroy(after);
  await isInUse();
  await former().destroy(again);
  await isArchived();
});

test("what moved with `pulumi state move` is the new stack's: its removal archives it", async () => {
  const { folder, after } = await adopted();
  await remove(startJob({ folder, stack: "third" }), after);
  expect(await live()).toMatchObject({
    ...{ status: "Archived", archiveReason: "Archived by the Pulumi stack test/third." },
  });
});

test("what another stack made anew under the same key stays, though this stack's notes are gone", async () => {
  const folder = freshFolder();
  const before = await startJob({ folder, stack: "before" }).up(gate);
  await raw.gate.delete({ id: "checkout" });
  await removeTree(path.join(folder, ".feature-console"));
  await startJob({ folder, stack: "after" }).up(gate);
  const removing = startJob({ folder, stack: "before" });
  await remove(removing, before);
  expect(removing.lines).toEqual([expect.stringContaining("another stack created it anew on ")]);
  await isInUse();
});

test("a note of an adoption counts for a year, one of a create for a week", async () => {
  const { folder, before, former } = await adopted();
  const older = (at: string) => String(Number(at) - 300 * 24 * 3_600_000);
  for (const file of journals(folder)) writeFileSync(file, contentOf(file).replace(/(?<="at":)\d+/g, older));
  await remove(former(), before);
  await isInUse();
});

test("from another folder nothing shows it: the removal archives it, as its preview says it may", async () => {
  const { before, former } = await adopted(freshFolder(), freshFolder());
  await remove(former(), before);
  await isArchived();
});

const segment = { key: "testers", type: "rule_based", description: "First", onDelete: "archive" };

test("a segment replaced under its key by options stays in use: an archived one could not come back", async () => {
  const folder = freshFolder();
  const made = await startJob({ folder }).of(catalog.segment).up(segment);
  const conditions = [{ type: "country", operator: "any", targetValue: ["NZ"] }];
  const news = { ...segment, rules: [{ name: "NZ", passPercentage: 100, conditions }] };
  const { of, lines } = startJob({ folder });
  // As Pulumi replaces it: check, diff, delete, check without the arguments of last time, create.
  await of(catalog.segment).plan(made, news);
  await of(catalog.segment).destroy(made);
  await of(catalog.segment).up(news);
  expect(await raw.segment.get({ id: "testers" })).toMatchObject({ rules: [{ name: "NZ" }] });
  expect(lines.slice(1)).toEqual([
    'segment "testers" is changed in place: a key can have one object at a time, and an archived one would not come back.',
  ]);
});

test("a replacement in place keeps what a person changed and the program did not, and is refused where both did", async () => {
  const folder = freshFolder();
  const gate = (description: string, passPercentage: number) => ({
    ...{ key: "loop", description },
    rules: [{ name: "All", passPercentage, conditions: [{ type: "public" }] }],
  });
  const made = await startJob({ folder }).up(gate("One", 50));
  const { rules } = (await raw.gate.get({ id: "loop" })) as unknown as ReturnType<typeof gate>;
  const edited = rules.map((rule) => ({ ...rule, passPercentage: 7 }));
  await raw.gate.patch({ id: "loop", body: { rules: edited } as never });
  const replaced = async (job: ReturnType<typeof startJob>, news: ReturnType<typeof gate>) => {
    await job.plan(made, news);
    const next = await job.up(news);
    await job.destroy(made);
    return next;
  };
  await expect(replaced(startJob({ folder }), gate("Two", 80))).rejects.toThrow(
    /gate "loop" changed in the console .* rules\[0\]\.passPercentage of "All" was 50, is 7 now, and the program sets 80\. Nothing was sent/,
  );
  expect(await raw.gate.get({ id: "loop" })).toMatchObject({ description: "One" });
  const job = startJob({ folder });
  const { outputs } = await replaced(job, gate("Two", 50));
  expect(job.lines.at(-1)).toMatch(
    /^gate "loop": rules changed in the console since the last refresh: left as it is\./,
  );
  const kept = { status: "In Progress", description: "Two", rules: [{ passPercentage: 7 }] };
  expect(await raw.gate.get({ id: "loop" })).toMatchObject(kept);
  // State has what was seen, so that a refresh shows the rest.
  expect(outputs).toMatchObject({ description: "Two", rules: [{ passPercentage: 50 }] });
});

test("a rule of a gate that comes back from the archive has no environments that the program no longer sets", async () => {
  const folder = freshFolder();
  const rule = { name: "All", passPercentage: 50, conditions: [{ type: "public" }] };
  const { up, destroy } = startJob({ folder });
  await destroy(await up({ key: "loop", rules: [{ ...rule, environments: ["production"] }] }));
  await startJob({ folder }).up({ key: "loop", rules: [rule] });
  const { status, rules } = await raw.gate.get({ id: "loop" });
  const [back] = rules as unknown as { environments?: unknown }[];
  expect([status, back?.environments ?? null]).toEqual(["In Progress", null]);
});

test("deleteBeforeReplace: false is refused where the new object would have the key of the old one", async () => {
  const { of } = startJob();
  const listed = { key: "testers", type: "id_list", onImmutableChange: "replace" };
  const made = await of(catalog.segment).up(listed);
  const byRules = { ...listed, type: "rule_based", __program: { createsFirst: true } };
  await expect(of(catalog.segment).plan(made, byRules)).rejects.toThrow(
    'segment "testers" cannot be replaced with deleteBeforeReplace: false: a key can have one object at a time. Nothing was changed.',
  );
});

/** A job whose backend has this address. */
const jobAt = (backend: string, job: Job = {}) => startJob({ ...job, says: { PULUMI_BACKEND_URL: backend } });
const one = "file:///srv/state";
const other = "s3://team:not-a-password@state/flags?region=eu-west-1";

test("the same stack name on another backend, in the same folder, is another stack", async () => {
  const folder = freshFolder();
  await jobAt(one, { folder }).up(gate);
  await expect(jobAt(other, { folder }).up(gate)).rejects.toThrow('gate "checkout" exists already.');
  await remove(jobAt(one, { folder }), await jobAt(one, { folder }).up(gate));
  await expect(jobAt(other, { folder }).up(changed)).rejects.toThrow(
    /^Cannot create gate "checkout": gate "checkout" exists already and is archived, with the reason "Archived by the Pulumi stack test\/dev \(backend [\w-]{12}\)\."\. It differs in description\. Set adopt: true/,
  );
  await isArchived();
  // Of the stack itself it comes back on any machine, where the console shows the reason.
  const back = jobAt(one);
  await back.up(changed);
  expect(await live()).toMatchObject({ status: "In Progress", description: "Ours" });
  expect(back.lines).toEqual(['gate "checkout" was archived: brought back and in line with the program.']);
});

test("of a backend's address nothing but a digest is written down", async () => {
  const folder = freshFolder();
  const made = await jobAt(other, { folder }).up(gate);
  await remove(jobAt(other, { folder }), made);
  const written = [JSON.stringify(made), JSON.stringify(await live()), ...journals(folder).map(contentOf)];
  for (const text of written) expect(text).not.toMatch(/s3:|not-a-password|eu-west-1/);
  expect(made.outputs.__stack).toMatch(/^test\/dev@[\w-]{12}$/);
  // Whoever has another password has the same backend.
  await jobAt(other.replace("not-a-password", "nor-is-this")).up(changed);
  await isInUse();
});

test("what version 0.1 wrote names no backend, and counts as before: journals, states and archive reasons", async () => {
  const folder = freshFolder();
  const made = await startJob({ folder }).up(gate);
  expect(made.outputs.__stack).toBe("test/dev");
  await expect(jobAt(one, { folder }).up(gate)).resolves.toMatchObject({ id: "checkout" });
  await jobAt(one, { folder }).destroy(made);
  const { archiveReason } = await live();
  expect(archiveReason).toMatch(/^Archived by the Pulumi stack test\/dev \(backend [\w-]{12}\)\.$/);
  await raw.gate.unarchive({ id: "checkout", body: {} });
  const body = { archiveReason: "Archived by the Pulumi stack test/dev." };
  await raw.gate.archive({ id: "checkout", body });
  await jobAt(one).up(changed);
  expect(await live()).toMatchObject({ status: "In Progress", description: "Ours" });
});

test("where the console shows no reason, nobody is named, and the way is", async () => {
  const limits = { key: "limits", description: "Ours", defaultValue: { most: 3 } };
  const news = { ...limits, description: "After the rollback" };
  const configs = () => startJob().of(catalog.dynamicConfig);
  await configs().destroy(await configs().up(limits));
  await expect(configs().up(news)).rejects.toThrow(
    'dynamic config "limits" exists already and is archived; it is not known by whom. It differs in description. ' +
      "Set adopt: true to bring it back and make it match the program, or choose another key.",
  );
  await configs().up({ ...news, adopt: true });
  expect(await raw.dynamicConfig.get({ id: "limits" })).toMatchObject({ description: "After the rollback" });
});
