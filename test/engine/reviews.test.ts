import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import { reviewLines } from "../../src/provider/engine";
import { reviewsMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import type { ReviewMode } from "../../src/provider/schema/reviews";
import { deskOf, requireReviews } from "../emulator/desk";
import { edit, expectChange, expectQuiet, fault, listOf, live, rule, start, subject } from "../laws/harness";
import type { Resource } from "../laws/subject";

const personKey = ["person", "test"].join("-");
const key = "checkout";
const gate = (passPercentage: number, more: JsonObject = {}) => ({
  ...{ key, reviewSettings: { requiredReview: true }, rules: [rule("Everyone", passPercentage)] },
  ...more,
});

interface Asked {
  readonly behaviour?: EmulatorOptions["behaviour"];
  readonly reviews?: "open" | "respect" | "bypass";
  /** What becomes of the text of an answer on its way. */
  readonly answer?: (text: string) => string;
  readonly kind?: "gate" | "dynamicConfig" | "experiment";
}

/** A stack whose changes open reviews, and a person who decides them. */
async function team({
  behaviour = {},
  reviews = "open",
  answer = (text) => text,
  kind = "gate",
}: Asked = {}) {
  await start(catalog[kind], {
    behaviour,
    people: { [personKey]: "ada@example.com" },
    config: { "feature-console:reviews": reviews, "feature-console:reviewMessage": "Half of all users" },
    through: ({ send }) => ({
      async send(request) {
        const whole = await send(request);
        return { ...whole, text: answer(whole.text) };
      },
    }),
  });
  const person = deskOf(subject.emulator, { "SERVICE-API-KEY": personKey });
  const path = { gate: "/gates", dynamicConfig: "/dynamic_configs", experiment: "/experiments" }[kind];
  const decide = (verb: string, body: object) => (review: number) =>
    person.must("PUT", `${path}/${key}/reviews/${review}/${verb}`, body);
  return {
    person,
    /** Oldest first. */
    reviews: async () => (await person.list(`${path}/${key}/reviews`)).toReversed(),
    accept: decide("approve", {}),
    reject: decide("reject", { reason: "Not on a Friday" }),
  };
}

const shareOf = ({ rules }: JsonObject) => (rules as JsonObject[])[0]?.passPercentage;
const isLive = async (share: number) => expect(shareOf(await live(key))).toBe(share);
const nothingOpen = ({ outputs }: Resource) => expect(outputs[reviewsMember]).toBeUndefined();

test.each(["apply", "asked", "refuse", "forbid", "hold"] as const)(
  "[V5] a change waits in one review until a person decides, and state says what is live (requiredReviews: %s)",
  async (requiredReviews) => {
    const { reviews, accept, reject } = await team({ behaviour: { requiredReviews } });
    let resource = await subject.up(gate(10));
    nothingOpen(resource);
    for (const _run of [1, 2]) {
      resource = await subject.update(resource, gate(50));
      await isLive(10);
      expect(shareOf(resource.outputs)).toBe(10);
      expect(await reviews()).toMatchObject([{ status: "pending", type: "rules" }]);
      expect(subject.lines.join("\n")).toContain("waits for approval: review 1 of rules (pending)");
      await expectChange(resource, gate(50));
      subject.nextRun();
    }

    await accept(1);
    resource = await subject.update(resource, gate(50));
    await isLive(50);
    expect(shareOf(resource.outputs)).toBe(50);
    expect(await reviews()).toMatchObject([{ status: "committed" }]);
    nothingOpen(resource);
    await expectQuiet(resource, gate(50));

    // What was rejected is not asked for again, and a changed program asks anew.
    resource = await subject.update(resource, gate(70));
    await reject(2);
    for (const _again of [1, 2])
      await expect(subject.update(resource, gate(70))).rejects.toThrow(/Review 2 of rules was rejected/);
    expect(await reviews()).toHaveLength(2);
    resource = await subject.update(resource, gate(20));
    expect((await reviews()).slice(1)).toMatchObject([{ status: "rejected" }, { status: "pending" }]);
    await accept(3);
    resource = await subject.update(resource, gate(20));
    await isLive(20);

    for (const _again of [1, 2])
      await expect(subject.destroy(resource)).rejects.toThrow(
        /stays until a review is accepted: review 4 of is_archived/,
      );
    expect(await live(key)).toMatchObject({ status: "In Progress" });
    await accept(4);
    await subject.destroy(resource);
    expect(await live(key)).toMatchObject({ status: "Archived" });
  },
);

test("an open review follows the program: opened anew, taken back, and given up by a change that bypasses reviews", async () => {
  const { reviews, accept } = await team({ behaviour: { requiredReviews: "apply" } });
  let resource = await subject.update(await subject.up(gate(10)), gate(50, { reviewers: ["user-7"] }));
  // For people, and for the next run.
  const description = expect.stringMatching(/^Half of all users\n\n\[pulumi [\w-]{12} rules [\w-]{12}\]$/);
  expect(await reviews()).toMatchObject([{ reviewers: [{ id: "user-7", kind: "user" }], description }]);
  expect((await live(key)).activeReview).toMatchObject({ reviewID: "1" });
  await accept(1);
  resource = await subject.update(resource, gate(60));
  expect(await reviews()).toMatchObject([{ review_id: "2", status: "pending" }]);
  await isLive(10);
  await expectChange(resource, gate(10));
  resource = await subject.update(resource, gate(10));
  expect(await reviews()).toEqual([]);
  nothingOpen(resource);
  await expectQuiet(resource, gate(10));
  resource = await subject.update(resource, gate(50));
  expect(await reviews()).toHaveLength(1);
  nothingOpen(await subject.update(resource, gate(10, { isEnabled: false, reviews: "bypass" })));
  expect(await live(key)).toMatchObject({ isEnabled: false });
  expect(await reviews()).toEqual([]);
});

test("a review of target apps says their ids, and the state their names", async () => {
  const { person, accept } = await team({ behaviour: { requiredReviews: "hold" } });
  await person.must("POST", "/target_app", { name: "Web", description: "The shop" });
  const program = gate(10, { targetApps: ["Web"] });
  const waiting = await subject.update(await subject.up(gate(10)), program);
  expect(await live(key)).toMatchObject({ targetApps: [] });
  await accept(1);
  const applied = await subject.update(waiting, program);
  expect(applied.outputs.targetApps).toEqual(["Web"]);
  await expectQuiet(applied, program);
});

test.each<["several" | "one", number[], JsonObject]>([
  ["several", [2, 1], { isEnabled: false, rules: [{ passPercentage: 10 }] }],
  ["one", [1, 2], { isEnabled: false, rules: [{ passPercentage: 50 }] }],
])(
  "rules and the switch pass two reviews, and are committed in this order (openReviews: %s)",
  async (openReviews, order, between) => {
    const { reviews, accept } = await team({ behaviour: { openReviews } });
    const program = gate(50, { isEnabled: true });
    let resource = await subject.up(gate(10, { isEnabled: false }));
    resource = await subject.update(resource, program);
    const opened = [{ type: "rules" }, { type: "is_enabled" }];
    expect(await reviews()).toMatchObject(openReviews === "one" ? opened.slice(0, 1) : opened);
    for (const review of order) {
      if (review !== order[0]) expect(await live(key)).toMatchObject(between);
      await accept(review);
      resource = await subject.update(resource, program);
    }
    expect(await live(key)).toMatchObject({ isEnabled: true, rules: [{ passPercentage: 50 }] });
    nothingOpen(resource);
  },
);

test("a review whose answer was lost is found again, not opened twice", async () => {
  const { reviews } = await team();
  const first = await subject.up(gate(10));
  fault({ method: "POST", path: `/gates/${key}/reviews`, reset: "after" });
  const second = await subject.update(first, gate(50));
  expect(await reviews()).toHaveLength(1);
  // State was lost with the process: the mark in the description is what is left.
  const { [reviewsMember]: _, ...forgotten } = second.outputs;
  await subject.update({ ...second, outputs: forgotten }, gate(50));
  expect(await reviews()).toHaveLength(1);
});

test("a key that may not read the review settings opens a review of each change", async () => {
  const { reviews } = await team();
  const plain = (share: number) => gate(share, { reviewSettings: { requiredReview: false } });
  const first = await subject.up(plain(10));
  subject.nextRun();
  fault({ method: "GET", path: "/settings/*", status: 403 });
  await subject.update(first, plain(50));
  await isLive(10);
  expect(await reviews()).toMatchObject([{ type: "rules" }]);
});

test("[V4] a change of rules for an environment without reviews applies at once", async () => {
  const { reviews } = await team({ behaviour: { requiredReviews: "refuse" } });
  const production = rule("Production", 10, { environments: ["production"] });
  const staging = (share: number) =>
    gate(10, { rules: [production, rule("Everyone", share, { environments: ["staging"] })] });
  await subject.update(await subject.up(staging(10)), staging(90));
  expect(await listOf(key)).toMatchObject([{ passPercentage: 10 }, { passPercentage: 90 }]);
  expect(await reviews()).toEqual([]);
});

test("[V1] respect: the console refuses a change that needs a review, and the message says what to do", async () => {
  await team({ behaviour: { requiredReviews: "asked" }, reviews: "respect" });
  const first = await subject.up(gate(10));
  await expect(subject.update(first, gate(50))).rejects.toThrow(/requires a review.*set reviews: "open"/s);
  await isLive(10);
});

test.each(["refuse", "forbid"] as const)(
  "a console that demands a review which no setting shows gets one (%s)",
  async (requiredReviews) => {
    const { reviews } = await team({
      behaviour: { requiredReviews },
      answer: (text) => text.replaceAll('"requiredReview":true', '"requiredReview":false'),
    });
    const plain = (share: number) => ({ key, rules: [rule("Everyone", share)] });
    const first = await subject.up(plain(10));
    await edit(key, { reviewSettings: { requiredReview: true } });
    expect(shareOf((await subject.update(first, plain(50))).outputs)).toBe(10);
    await isLive(10);
    expect(await reviews()).toMatchObject([{ status: "pending", type: "rules" }]);
  },
);

test("what needs no review is sent with what the console would reset", async () => {
  const { person, reviews, accept } = await team({
    ...{ kind: "dynamicConfig", behaviour: { partialDefaults: "apply" } },
  });
  await requireReviews(person);
  const config = (a: number, description: string) => ({
    ...{ key, isEnabled: false, defaultValue: { a }, description },
  });
  const waiting = await subject.update(await subject.up(config(1, "Old")), config(2, "New"));
  expect(await live(key)).toMatchObject({ isEnabled: false, description: "New", defaultValue: { a: 1 } });
  expect(await reviews()).toMatchObject([{ type: "default_value" }]);
  await accept(1);
  await subject.update(waiting, config(2, "New"));
  expect(await live(key)).toMatchObject({ isEnabled: false, defaultValue: { a: 2 } });
});

test("an experiment is started by one review and decided by the next", async () => {
  const { reviews, accept, person } = await team({ kind: "experiment" });
  await requireReviews(person);
  const groups = ["control", "test"].map((name) => ({ name, size: 50, parameterValues: {} }));
  const active = { key, groups, status: "active" };
  let resource = await subject.update(await subject.up({ key, groups }), active);
  expect(await live(key)).toMatchObject({ status: "setup" });
  await accept(1);
  resource = await subject.update(resource, active);
  expect(await live(key)).toMatchObject({ status: "active" });
  const decided = { ...active, status: "decision_made", launchedGroup: "test", decisionReason: "It won" };
  resource = await subject.update(resource, decided);
  expect(resource.outputs.status).toBe("active");
  expect(resource.outputs.launchedGroup).toBeUndefined();
  expect(await reviews()).toMatchObject([{ type: "start" }, { type: "make_decision" }]);
  await accept(2);
  resource = await subject.update(resource, decided);
  expect(await live(key)).toMatchObject({ status: "decision_made", decisionReason: "It won" });
  await expectQuiet(resource, decided);
});

const config = { "feature-console:reviews": "open" };
const ordinary = (more: JsonObject = {}) => ({ key, rules: [rule("Everyone", 10)], ...more });
const raised = { rules: [rule("Everyone", 50)] };

/** A gate in a project that requires reviews. */
async function made(): Promise<Resource> {
  await start(catalog.gate, { config });
  const resource = await subject.up(ordinary());
  await requireReviews(deskOf(subject.emulator));
  return resource;
}

/** Lines of a preview of this change. */
const linesOf = ({ outputs: state }: Resource, args: JsonObject, mode: ReviewMode = "open") =>
  reviewLines({ reviews: { mode } }, catalog.gate, state, args, Object.keys(args));
const opens = (slots: string) =>
  `a change of ${slots} may need a review: "pulumi up" then opens one and does not apply the change.`;

const openTypes = async () =>
  (await deskOf(subject.emulator).list(`/gates/${key}/reviews`)).map(({ type }) => type).toSorted();

/** The changes that a preview names, against the reviews that the update then opens. */
test.each<[string, JsonObject, string[]]>([
  ["rules", raised, ["rules"]],
  ["the switch", { isEnabled: false }, ["is_enabled"]],
  ["rules and the switch", { ...raised, isEnabled: false }, ["rules", "is_enabled"]],
  ["a description", { description: "New" }, []],
])("a change of %s: a preview names the changes whose reviews the update opens", async (_, change, types) => {
  const resource = await made();
  expect(linesOf(resource, change)).toEqual(types.length === 0 ? [] : [opens(types.join(", "))]);
  expect(linesOf(resource, change, "bypass")).toEqual([]);
  await subject.update(resource, ordinary(change));
  expect(await openTypes()).toEqual(types.toSorted());
});

test.each<[string, JsonObject, string[]]>([
  ["an archive", { status: "Archived" }, ["is_archived"]],
  ["a demand of reviews", { reviewSettings: { requiredReview: true } }, []],
])("%s: the preview says that it may need a review", async (_, change, types) => {
  const resource = await made();
  expect(linesOf(resource, change)).toMatchObject(
    [/may need a review/].map((text) => expect.stringMatching(text)),
  );
  await subject.update(resource, ordinary(change));
  expect(await openTypes()).toEqual(types);
});

test.each<[string, JsonObject]>([
  ["a launch", { status: "Launched" }],
  ["a team by its name", { team: "growth" }],
])("%s, for which the API has no review: the update is refused and sends nothing", async (_, change) => {
  const resource = await made();
  expect(linesOf(resource, change)).toHaveLength(1);
  subject.emulator.clearRequests();
  const failure = await subject.update(resource, ordinary(change)).catch((error: unknown) => error);
  const text = JSON.stringify((failure as { reasons?: unknown }).reasons ?? String(failure));
  expect(text).toMatch(/needs a review, and the API has none for .* Make this change in the console/);
  expect(subject.writes()).toEqual([]);
});

test("a review whose change the program gave up for another is taken back, and the other opens one", async () => {
  const resource = await made();
  const waiting = await subject.update(resource, ordinary(raised));
  expect(linesOf(waiting, { isEnabled: false })).toEqual([
    'review 1 of rules was pending after the last update: "pulumi up" commits it if a person has accepted it, and takes it back if ' +
      "the program no longer has its change.",
    opens("is_enabled"),
  ]);
  await subject.update(waiting, ordinary({ isEnabled: false }));
  expect(await openTypes()).toEqual(["is_enabled"]);
});

test("a review that no key can take back holds the changed program up until a person rejects it", async () => {
  const { person, reviews, accept, reject } = await team({ kind: "dynamicConfig" });
  await requireReviews(person);
  const config = (a: number) => ({ key, defaultValue: { a } });
  let resource = await subject.update(await subject.up(config(1)), config(2));
  resource = await subject.update(resource, config(3));
  expect(subject.lines.join("\n")).toContain(
    "review 1 is still open, and the program no longer has its change",
  );
  expect(await reviews()).toMatchObject([{ status: "pending" }]);
  await reject(1);
  resource = await subject.update(resource, config(3));
  await accept(2);
  await subject.update(resource, config(3));
  expect(await live(key)).toMatchObject({ defaultValue: { a: 3 } });
});
