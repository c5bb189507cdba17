import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { reviewOutlook } from "../../src/provider/engine";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { deskOf, requireReviews } from "../emulator/desk";
import { rule, start, subject } from "../laws/harness";
import type { Resource } from "../laws/subject";
import { configFor, startProcess } from "../support/in-process";

const config = { "feature-console:reviews": "open" };
const gate = (more: JsonObject = {}) => ({ key: "checkout", rules: [rule("Everyone", 10)], ...more });
const raised = { rules: [rule("Everyone", 50)] };

/** A gate in a project that requires reviews. */
async function made(): Promise<Resource> {
  await start(catalog.gate, { config });
  const resource = await subject.up(gate());
  await requireReviews(deskOf(subject.emulator));
  return resource;
}

/** What a preview foretells, which writes nothing. */
async function outlook({ id, inputs, outputs: state }: Resource, args: JsonObject) {
  const { emulator } = subject;
  const process = startProcess({ ...configFor(emulator), ...config }, { transport: emulator.transport });
  emulator.clearRequests();
  const target = { id, wants: await subject.checked(args, inputs), state };
  const found = await reviewOutlook(process.context(), catalog.gate, target);
  expect(subject.writes()).toEqual([]);
  return found;
}

const openTypes = async () =>
  (await deskOf(subject.emulator).list("/gates/checkout/reviews")).map(({ type }) => type).toSorted();

/** What the outlook names, against the reviews that the update then opens. */
test.each<[string, JsonObject, string[]]>([
  ["rules", raised, ["rules"]],
  ["the switch", { isEnabled: false }, ["is_enabled"]],
  ["rules and the switch", { ...raised, isEnabled: false }, ["is_enabled", "rules"]],
  ["an archive", { status: "Archived" }, ["is_archived"]],
  ["a description", { description: "New" }, []],
  ["a demand of reviews", { reviewSettings: { requiredReview: true } }, []],
])("a change of %s: the reviews that the update opens", async (_, change, types) => {
  const resource = await made();
  const { lines, refusal } = await outlook(resource, gate(change));
  expect(refusal).toBeUndefined();
  expect(lines).toEqual(
    types
      .slice(0, 1)
      .map(() => expect.stringMatching(/^a change of .+ needs a review: "pulumi up" opens one/)),
  );
  for (const type of types) expect(lines[0]).toContain(type);
  await subject.update(resource, gate(change));
  expect(await openTypes()).toEqual(types);
});

test.each<[string, JsonObject]>([
  ["a launch", { status: "Launched" }],
  ["a team by its name", { team: "growth" }],
])("%s, for which the API has no review: the refusal of the update", async (_, change) => {
  const resource = await made();
  const { lines, refusal } = await outlook(resource, gate(change));
  expect(lines).toEqual([]);
  const failure = await subject.update(resource, gate(change)).catch((error: unknown) => error);
  expect(JSON.stringify((failure as { reasons?: unknown }).reasons ?? String(failure))).toContain(
    JSON.stringify(refusal).slice(1, -1),
  );
});

test("a review whose change the program gave up for another is taken back, and the other opens one", async () => {
  const resource = await made();
  const waiting = await subject.update(resource, gate(raised));
  const wants = gate({ isEnabled: false });
  expect((await outlook(waiting, wants)).lines).toEqual([
    'review 1 of rules is pending: "pulumi up" takes it back, because the program no longer has its change.',
    'a change of is_enabled needs a review: "pulumi up" opens one and does not apply the change.',
  ]);
  await subject.update(waiting, wants);
  expect(await openTypes()).toEqual(["is_enabled"]);
});

test("a value that only the update knows is not judged", async () => {
  const { lines } = await outlook(await made(), gate({ description: UNKNOWN }));
  expect(lines).toEqual([
    "not known before the update whether its changes need a review: values come from other resources.",
  ]);
});
