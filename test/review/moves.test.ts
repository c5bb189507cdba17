import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { experiment } from "../../src/provider/definitions/flags/experiment";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { makeReview, notAsked, readPreview } from "../../src/tools/review";
import { changeOf, factsOf, golden, ReviewDesk, reportText, reviewOf } from "./desk";
import { after, before } from "./moves";

let api: ReviewDesk;
beforeEach(() => {
  api = new ReviewDesk();
});
afterEach(() => api.close());

test("of each move the reviewer reads what it means for people, and how risky it is", async () => {
  await api.apply(before);
  api.write(after);
  const review = makeReview(readPreview(await api.previewText()), undefined, undefined, api.now);
  expect(reportText(review)).toBe(golden("moves"));
});

const everyone = 'rules: [{ name: "All", passPercentage: 100, conditions: [{ type: "public" }] }]';

test("what comes back from the archive is for somebody again, and what nobody asks for is no emergency", async () => {
  await api.apply(`new fc.Gate("back", { ${everyone} }); new fc.Gate("gone", { ${everyone} });`);
  await api.raw.gate.archive({ id: "back" });
  await api.refresh();
  api.write(`new fc.Gate("back", { ${everyone} });`);
  const offline = await api.report({ isOffline: true });
  expect(changeOf(offline, "back")).toMatchObject({
    ...{ act: "restore", risk: "high" },
    headline: "back from the archive · nobody → everyone",
  });
  expect(changeOf(offline, "gone").risk).toBe("high");
  const gone = changeOf(await api.report(), "gone");
  expect(gone.risk).toBe("medium");
  expect(factsOf(gone).join()).toContain("who is let in: everyone → nobody; no checks in the last hour");
});

test("too many sorts of users are not guessed", async () => {
  const program = (share: number) => `new fc.Gate("many", { rules: Array.from({ length: 40 }, (_, at) => ({
    name: "R" + at,
    passPercentage: ${share},
    conditions: [0, 1, 2].map((part) =>
      ({ type: "custom_field", field: "f" + ((at * 3 + part) % 17), operator: "any", targetValue: [String(at)] })),
  })) });`;
  await api.apply(program(1));
  api.write(program(90));
  const change = changeOf(await api.report({ isOffline: true }), "many");
  expect(change.risk).toBe("medium");
  expect(factsOf(change).join()).toContain(
    "the rules distinguish too many groups of units: the report does not show who gains or loses",
  );
});

test("experiments that ask for more than their layer has are told, and that one gets only the rest", () => {
  const type = "pulumi-nodejs:dynamic/feature-console:Experiment";
  const groups = [{ name: "A", size: 100, parameterValues: {} }];
  const step = (name: string, was: number, is: number, status = "active") => {
    const urn = `urn:pulumi:dev::shop::${type}::${name}`;
    const [oldState, newState] = [was, is].map((allocation) => {
      const inputs = { key: name, name, layerID: "shop", allocation, status, groups };
      const outputs = { id: name, ...inputs, __managed: Object.keys(inputs) };
      return { urn, type, id: name, inputs, outputs };
    });
    return { op: was === is ? "same" : "update", urn, oldState, newState };
  };
  const told = (...steps: object[]) =>
    reviewOf(...steps).changes.flatMap(({ facts }) => facts.map(({ text }) => text));
  const share = "share of the layer's units that take part:";
  const [first, more] = [step("first", 80, 80), step("second", 20, 60)];
  expect(told(first, more)).toEqual([
    `${share} it asks for +40 percentage points, and gets only the rest if it starts last`,
    'experiment "first" and experiment "second" ask for 140 % of layer "shop" together: whichever starts last gets only the rest',
  ]);
  expect(told(step("first", 100, 10), step("second", 50, 50))).toEqual([
    `${share} it asks for −90 percentage points, and had only the rest if it started last`,
  ]);
  expect(told(step("first", 80, 80, "setup"), more)).toEqual([`${share} +40 percentage points`]);
  expect(told(step("second", 20, 60, "setup"))).toEqual([
    `${share} +40 percentage points, without effect until it starts`,
  ]);
  const leaves = { ...first, op: "delete", newState: undefined };
  const isRetained = { oldState: { ...first.oldState, retainOnDelete: true } };
  expect(told({ ...leaves, ...isRetained }, more)).toContainEqual(
    expect.stringMatching(/ask for 140 % of layer "shop" together/),
  );
  const layer = type.replace("Experiment", "Layer");
  const made = { urn: `urn:pulumi:dev::shop::${layer}::shop`, type: layer, inputs: { key: "shop" } };
  const asking = ({ newState, urn }: ReturnType<typeof step>) => {
    const inputs = { ...newState?.inputs, layerID: UNKNOWN };
    return {
      op: "create",
      urn,
      newState: { ...newState, inputs, propertyDependencies: { layerID: [made.urn] } },
    };
  };
  const creations = [step("first", 0, 60), step("second", 0, 60)].map(asking);
  expect(told({ op: "create", urn: made.urn, newState: made }, ...creations)).toContainEqual(
    expect.stringMatching(
      /^experiment "first" and experiment "second" ask for 120 % of layer "shop" together/,
    ),
  );
  const values = { key: "first", layerID: "shop", allocation: 60, status: "active" };
  const objects = [{ definition: experiment, id: "first", values }];
  const preview = readPreview(JSON.stringify({ steps: [first, more] }));
  const { changes } = makeReview(preview, undefined, { ...notAsked, objects });
  expect(changes[0]?.facts[1]?.text).toMatch(/^experiment "first" and experiment "second" ask for 120 % /);
});
