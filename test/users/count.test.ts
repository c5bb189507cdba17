import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { SdkWorker } from "../../src/emulator/evaluation/sdk-worker";
import type { Rule, Spec, SpecDocument } from "../../src/emulator/evaluation/specs";
import { type Answers, Evaluator } from "../../src/emulator/evaluation/tasks";
import {
  makeReview,
  readPreview,
  reviewMarkdown,
  reviewPage,
  type Subject,
  subjectsOf,
} from "../../src/tools/review";
import { countUsers } from "../../src/tools/users/count";
import { ReviewDesk } from "../review/desk";
import { crowd } from "../world/draw";
import { type Change, changes, standing } from "./changes";
import { answersIn, answersOf, documentOf } from "./truth";

jest.setTimeout(300_000);

/** Evaluates in this thread: one of its own takes longer to start than these users to count. The random changes have theirs. */
jest.spyOn(SdkWorker.prototype, "answers").mockImplementation(async (texts, task) => {
  const evaluator = new Evaluator(5000);
  await evaluator.carryOut({ what: "documents", texts });
  return (await evaluator.carryOut({ what: "answers", ...task })) as Answers[];
});

/** So many that each share has users in it; `npm run prove -- users` asks 100,000. */
const users = crowd(400);

let api: ReviewDesk;
const begin = async () => {
  api = new ReviewDesk();
  api.write(standing);
  await api.up();
};

const answers = () => answersOf(api.emulator, users);

/** The same as a report counts it, counted from what the SDK answers before and after the update. */
function moved(before: ReadonlyMap<string, readonly string[]>, after: typeof before) {
  // An experiment in a layer is asked by the layer.
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((id) => !["titles", "banners", "more"].includes(id))
    .map((id) => {
      const [was, will] = [before.get(id) ?? [], after.get(id) ?? []];
      const count = (is: (one: string, other: string) => boolean) =>
        users.filter(
          (_, at) =>
            (was[at] ?? "false") !== (will[at] ?? "false") && is(was[at] ?? "false", will[at] ?? "false"),
        ).length;
      return {
        id,
        gains: count((_, now) => now === "true"),
        loses: count((_, now) => now === "false"),
        otherValue: count((_, now) => now.startsWith("{")),
      };
    })
    .filter(({ gains, loses, otherValue }) => gains + loses + otherValue > 0);
}

const inOrder = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
  [...list].sort((one, other) => (one.id < other.id ? -1 : 1));

interface CountOptions {
  readonly inOrder?: (subjects: Subject[]) => Subject[];
  readonly environment?: string | undefined;
  readonly few?: number;
}

async function counted(
  live = documentOf(api.emulator),
  { inOrder = (subjects: Subject[]) => subjects, environment, few = users.length }: CountOptions = {},
) {
  const preview = readPreview(await api.previewText());
  const subjects = inOrder(subjectsOf(preview));
  const found = await countUsers(subjects, {
    of: few,
    users: users.slice(0, few),
    live,
    progress: () => {},
    ...(environment === undefined ? {} : { environment }),
  });
  return { found, review: { ...makeReview(preview, subjects), users: found } };
}

/** Changes in as few updates as they fit into: two of one update have no flag in common. */
function updatesOf(all: readonly Change[]): Change[][] {
  const updates: Change[][] = [];
  for (const one of all) {
    const isFree = ({ ids }: Change) => ids.length > 0 && !ids.some((id) => one.ids.includes(id));
    const room = updates.find((others) => one.ids.length > 0 && others.every(isFree));
    if (room === undefined) updates.push([one]);
    else room.push(one);
  }
  return updates;
}

/** Counts what the program changes, and carries it out. `real`: who moved. */
async function carriedOut() {
  const before = await answers();
  const { found, review } = await counted();
  await api.up();
  const real = inOrder(moved(before, await answers()));
  return { found, review, real, ids: real.map(({ id }) => id) };
}

const holds = ([least = 1, most = 0]: readonly number[] = [], value: number): boolean =>
  least <= value && value <= most;

/** The flags of a console that has ids and salts of its own for the rules of holdouts. */
function ownSalts(document: SpecDocument, change: (rule: Rule) => Rule): SpecDocument {
  const rulesOf = ({ rules }: Spec): Rule[] =>
    rules.map((rule) => change({ ...rule, id: "opaque", salt: "theirs" }));
  const gates = document.feature_gates.map((one) =>
    one.entity === "holdout" ? { ...one, rules: rulesOf(one) } : one,
  );
  return { ...document, feature_gates: gates };
}

describe("previews over the same flags", () => {
  beforeAll(begin);
  afterAll(() => api.close());

  test("two reports of one change count the same", async () => {
    api.write(changes[0]?.change(standing).replace('"checkout_v2", {', '"checkout_two", {') ?? "");
    const [one, other] = [await counted(), await counted()];
    expect(one.found.flags.some(({ drawn }) => drawn !== undefined)).toBe(true);
    expect(other.found).toEqual(one.found);
    // What stays comes from the state where a preview does not show it, in no order with what changes.
    api.write(changes.find(({ what }) => what === "overrides of an experiment")?.change(standing) ?? "");
    const ordered = await counted();
    const reversed = await counted(undefined, { inOrder: (subjects) => subjects.reverse() });
    expect(ordered.found).toMatchObject({ flags: [{ id: "colour" }], notes: [] });
    expect(reversed.found).toEqual(ordered.found);
  });

  test("experiments of a layer are counted once, by what the layer answers; what another one gets is an interval", async () => {
    const more = `new fc.Experiment("more", { layerID: "page", status: "active", allocation: 20, groups: [
      { name: "huge", size: 100, parameterValues: { size: 9 } }] });`;
    api.write(`${standing}${more}`);
    const { found, review } = await counted();
    expect(found).toMatchObject({ flags: [{ id: "page" }], notes: [], isComplete: true });
    const [least = 0, most = 0] = found.flags[0]?.drawn?.otherValue ?? [];
    expect([least <= 80, 80 <= most, least > 40, most < 130]).toEqual([true, true, true, true]);
    expect(reviewMarkdown(review)).toContain('only the update shows the users of experiment "more"');
  });

  test("a holdout whose console draws by another salt keeps its users, as far as its share keeps them", async () => {
    const withShare = (passPercentage: number) =>
      ownSalts(documentOf(api.emulator), (rule) => ({ ...rule, passPercentage }));
    api.write(standing.replace("passPercentage: 10, gateIDs", "passPercentage: 4, gateIDs"));
    const real = moved(await answersIn(withShare(10), users), await answersIn(withShare(4), users));
    const { found } = await counted(withShare(10));
    expect(found.flags).toMatchObject(real);
    expect(real).toMatchObject([{ id: "search", loses: 0 }]);
  });

  test("a larger allocation takes users beside those of the live buckets, whichever these are", async () => {
    const live = documentOf(api.emulator);
    const withBuckets = (change: (buckets: number[]) => number[]): SpecDocument => ({
      ...live,
      dynamic_configs: live.dynamic_configs.map((spec) => ({
        ...spec,
        rules: spec.rules.map((rule) => ({
          ...rule,
          conditions: rule.conditions.map((one) =>
            spec.name === "colour" && Array.isArray(one.targetValue) && one.type === "user_bucket"
              ? { ...one, targetValue: change(one.targetValue as number[]) }
              : one,
          ),
        })),
      })),
    });
    const theirs = (buckets: number[]) => buckets.map((one) => 999 - one);
    const more = (buckets: number[]) => {
      const others = [...Array(1000).keys()].filter((one) => !theirs(buckets).includes(one));
      return [...theirs(buckets), ...others.slice(-100)];
    };
    const [before, after] = [
      await answersIn(withBuckets(theirs), users),
      await answersIn(withBuckets(more), users),
    ];
    const [{ otherValue = 0 } = {}] = moved(before, after);
    api.write(standing.replace("allocation: 80", "allocation: 90"));
    const { found } = await counted(withBuckets(theirs));
    expect(otherValue).toBeGreaterThan(0);
    expect(holds(found.flags[0]?.drawn?.otherValue, otherValue)).toBe(true);
  });

  test("an experiment that takes more of its layer, or asks for more than is left, which nobody knows", async () => {
    const taking = (allocation: number) =>
      standing.replace('status: "active", allocation: 60', `status: "active", allocation: ${allocation}`);
    api.write(taking(90));
    const { found } = await counted();
    expect(found).toMatchObject({ flags: [{ id: "page" }], notes: [] });
    expect(found.flags[0]?.drawn?.draws).toEqual(['experiment "titles"']);
    const more = 'new fc.Experiment("more", { layerID: "page", status: "active", allocation: 50 });';
    api.write(`${taking(90)}${more}`);
    const { found: none, review } = await counted();
    expect(none).toMatchObject({ flags: [], isComplete: false });
    const note = 'Not counted: layer "page": the running experiments of layer page ask for 140 % of it';
    expect(reviewMarkdown(review)).toContain(note);
  });

  test("a rule of an environment is counted there, and each environment that a rule names without one that is asked for", async () => {
    const rule = (passPercentage: number, ...environments: string[]) =>
      `{ name: "${environments.join()}", environments: ${JSON.stringify(environments)}, passPercentage: ${passPercentage}, conditions: [{ type: "public" }] }`;
    const withGate = (...rules: string[]) =>
      api.write(`${standing}new fc.Gate("tiered", { rules: [${rules.join()}] });`);
    withGate(rule(100, "staging"), rule(0, "production", "development"));
    await api.up();
    withGate(rule(0, "staging"), rule(100, "production", "development"));
    const sentences = async (environment?: string) => {
      const { review } = await counted(undefined, { environment });
      return reviewMarkdown(review).match(/^- .*(?:400 users|Not counted).*$/gm);
    };
    expect(await sentences()).toEqual([
      '- development: 400 of 400 users gain gate "tiered".',
      '- production: 400 of 400 users gain gate "tiered".',
      '- staging: 400 of 400 users lose gate "tiered".',
    ]);
    expect(await sentences("production")).toEqual(['- production: 400 of 400 users gain gate "tiered".']);
    expect(await sentences("qa")).toEqual(["- None of 400 users gets another answer in qa."]);
  });

  test("a layer that a holdout of others holds has no count: the update is not known to keep that rule", async () => {
    const live = documentOf(api.emulator);
    const [rule] = live.dynamic_configs.find(({ name }) => name === "colour")?.rules ?? [];
    const asked = { type: "pass_gate", operator: "any", targetValue: "pay_later" };
    const theirs = { ...(rule as Rule), id: "theirs", passPercentage: 100, conditions: [asked] };
    const held = live.layer_configs.map((one) => ({ ...one, rules: [theirs, ...one.rules] }));
    api.write(standing.replace('defaultValue: "Hello" }', 'defaultValue: "Good day" }'));
    const { found } = await counted({ ...live, layer_configs: held });
    expect(found.flags.map(({ id }) => id)).not.toContain("page");
    expect(found.notes).toContainEqual(
      expect.stringContaining('layer "page": which overrides and holdouts decide'),
    );
  });

  test("the report says it in words, and names no user", async () => {
    api.write(changes[0]?.change(standing) ?? "");
    const { found, review } = await counted();
    const [{ gains = 0 } = {}] = found.flags;
    const sentence = `${gains} of 400 users gain gate`;
    expect(gains).toBeGreaterThan(0);
    for (const text of [reviewMarkdown(review), reviewPage(review)]) {
      expect(text).toContain(sentence);
      expect(text).not.toMatch(/user-\d/);
    }
  });

  test("flags of another project are noticed", async () => {
    api.write(standing);
    const live = { feature_gates: [], dynamic_configs: [], layer_configs: [] };
    const subjects = subjectsOf(readPreview(await api.previewText()));
    await expect(countUsers(subjects, { of: users.length, users, live, progress: () => {} })).rejects.toThrow(
      /hold none of the \d+ that the stack has: they come from another project/,
    );
  });
});

describe("updates", () => {
  beforeEach(begin);
  afterEach(() => api.close());

  test.each(updatesOf(changes).map((update) => [update.map(({ what }) => what).join("; "), update] as const))(
    "%s: the SDK answers after the update what the report counted",
    async (_, update) => {
      api.write(update.reduce((program, { change }) => change(program), standing));
      const { found, real, ids } = await carriedOut();
      expect(found.notes).toEqual([]);
      expect(found.flags.filter(({ drawn }) => drawn !== undefined)).toEqual([]);
      expect(inOrder(found.flags)).toMatchObject(real);
      expect(ids).toEqual(update.flatMap((one) => one.ids).toSorted());
    },
  );

  test("users of a new share are an interval, which holds what the update draws", async () => {
    const fresh = Array.from(
      { length: 100 },
      (_, at) => `new fc.Gate("fresh_${at}", { rules: [everyone(${(at % 99) + 1}, { name: "New" })] });`,
    );
    api.write(
      standing.replace("inCountries(50)", 'inCountries(50), everyone(40, { name: "Later" })') +
        fresh.join("\n"),
    );
    const { found, review, real } = await carriedOut();
    const flags = inOrder(found.flags.filter(({ drawn }) => drawn !== undefined));
    expect(flags.map(({ id }) => id)).toEqual(
      ["checkout_v2", ...fresh.map((_, at) => `fresh_${at}`), "pay_later", "without"].sort(),
    );
    const gained = (id: string) => real.find((one) => one.id === id)?.gains ?? 0;
    const held = flags.filter(({ id, drawn }) => holds(drawn?.gains, gained(id)));
    expect(held.length).toBeGreaterThanOrEqual(95);
    expect(reviewMarkdown(review)).toContain("only the update shows the users of rule");
  });

  test("a share of few users is what is to be expected of it, and not what one draw gives", async () => {
    const every = (share: number) => `everyone(${share}, { name: "New" })`;
    api.write(
      `${standing}new fc.Gate("fresh", { rules: [${every(20)}] }); new fc.Gate("asks", { rules: [{ name: "New", passPercentage: 50,
        conditions: [{ type: "passes_gate", targetValue: "fresh" }] }] });`,
    );
    const { found } = await counted(undefined, { few: 125 });
    const [fresh, asks] = found.flags.map(({ gains }) => gains);
    expect([fresh, asks === 12 || asks === 13]).toEqual([25, true]);
  });

  test("users of an experiment that starts are an interval", async () => {
    api.write(standing.replace('"later", {', '"later", { status: "active",'));
    const { found, review, real } = await carriedOut();
    const [{ otherValue = 0 } = {}] = real;
    const [{ id, drawn } = { id: "" }] = found.flags;
    expect({ id, draws: drawn?.draws }).toEqual({ id: "later", draws: ['experiment "later"'] });
    expect(otherValue).toBeGreaterThan(0);
    expect(holds(drawn?.otherValue, otherValue)).toBe(true);
    expect(reviewMarkdown(review)).toContain('only the update shows the users of experiment "later".');
  });

  test("users of a new layer and its experiment are intervals", async () => {
    const inPage = `layerID: "fresh", status: "active", allocation: 50, groups: [
    { name: "plain", size: 50, parameterValues: { title: "Plain" } }, { name: "loud", size: 50, parameterValues: { title: "Loud" } }]`;
    api.write(
      `${standing}new fc.Layer("fresh", { idType: "userID", parameters: [{ name: "title", type: "string", defaultValue: "Hi" }] });
new fc.Experiment("banners", { ${inPage} });`,
    );
    const { found, real } = await carriedOut();
    expect(found).toMatchObject({ notes: [], flags: [{ id: "fresh" }] });
    const others = real.find(({ id }) => id === "fresh")?.otherValue ?? 0;
    expect(holds(found.flags[0]?.drawn?.otherValue, others)).toBe(true);
  });

  test("the users of a holdout that is removed get the gate's own answers", async () => {
    api.write(standing.replace(/new fc.Holdout.*\n/, ""));
    const before = await answers();
    const { found } = await counted();
    const [{ id } = { id: "" }] = (await api.stack.exported()).resources.filter(({ urn }) =>
      urn.endsWith("::quarter"),
    );
    await api.raw.holdout.delete({ id: id ?? "" });
    expect(found.notes).toEqual([]);
    expect(found.flags).toMatchObject(moved(before, await answers()));
  });

  test("a change of a list of ids is not counted: a preview has no ids", async () => {
    const withIds = (ids: readonly string[]) =>
      `${standing}\nnew fc.Segment("devices", { type: "id_list", ids: ${JSON.stringify(ids)} });\n`;
    api.write(withIds(["one"]));
    await api.up();
    api.write(withIds(["one", "two"]));
    const { found } = await counted();
    expect(found.notes).toContain(
      'Not counted: segment "devices": a preview holds only the hashes of its ids',
    );
  });

  test("a gate that comes on is counted where the stack has its overrides and every holdout; a config has neither", async () => {
    const isOn = (value: boolean) =>
      standing
        .replace('"search", {', `"search", { isEnabled: ${value},`)
        .replace('"shop_limits", {', `"shop_limits", { isEnabled: ${value},`)
        .replace("everyone(20)", "everyone(100)");
    api.write(isOn(false));
    await api.up();
    api.write(isOn(true));
    const { found, real, ids } = await carriedOut();
    const flags = inOrder(found.flags);
    expect(found).toMatchObject({ notes: [], isComplete: true });
    expect([flags.map(({ id }) => id), ids]).toEqual(Array(2).fill(["search", "shop_limits"]));
    expect(flags[0]).toEqual({ kind: "gate", ...real[0] });
  });

  test("a gate that is off in the console, and comes on, is not counted: nobody here sees its overrides", async () => {
    const laterIs = (isEnabled: boolean) =>
      standing.replace('"pay_later", {', `"pay_later", { isEnabled: ${isEnabled},`);
    api.write(laterIs(false));
    await api.up();
    api.write(laterIs(true));
    const { found } = await counted();
    expect(found.flags).toEqual([]);
    expect(found.notes).toEqual([expect.stringMatching(/^Not counted: gate "pay_later": /)]);
  });

  test("a gate that a person switched off, and that the program sets on again, is not counted, and the report says so", async () => {
    await api.raw.gate.disable({ id: "pay_later" });
    await api.stack.refresh((await api.stack.exported()).resources.map(({ urn }) => urn));
    api.write(standing.replace('"pay_later", {', '"pay_later", { status: "In Progress",'));
    const { found, review } = await counted();
    expect(found.flags).toEqual([]);
    expect(found.notes).toEqual([expect.stringMatching(/^Not counted: gate "pay_later": /)]);
    expect(reviewMarkdown(review)).toContain('- Not counted: gate "pay_later": ');
    expect(reviewMarkdown(review)).not.toContain("None of 400 users");
  });
});
