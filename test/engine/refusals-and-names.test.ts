import { describe, expect, test } from "@jest/globals";
import { failure } from "../../src/provider/client/answer";
import { ownWords } from "../../src/provider/client/console-words";
import { catalog } from "../../src/provider/definitions";
import { isForReview } from "../../src/provider/engine/reviews/mode";
import { reworded } from "../../src/provider/schema/errors";
import type { JsonObject } from "../../src/provider/schema/json";
import { secretTexts, withoutSecrets } from "../../src/provider/texts/secret-texts";
import { deskOf } from "../emulator/desk";
import { expectChange, expectQuiet, rule, shares, start, subject } from "../laws/harness";

const advice = /reviews: "open"/;

describe.each<[string, JsonObject & { readonly key: string }, string?]>([
  ["its key", { key: "review_page" }],
  ["a key of that word alone", { key: "review", name: "review" }],
  ["its name", { key: "checkout", name: "Review page" }],
  ["the name of a rule", { key: "checkout" }, "Needs a review"],
  ["a tag and a description", { key: "checkout", tags: ["review"], description: "Requires a review" }],
])("a gate with the word review in %s, whose rise the console refuses", (_, texts, name = "Everyone") => {
  test.each(["open", "respect"])(
    'reviews: "%s" opens no review and gives no advice about them: the update fails with the words of the console',
    async (reviews) => {
      const config = { "feature-console:reviews": reviews };
      await start(catalog.gate, { behaviour: { suddenRises: "refuse" }, config });
      const made = await subject.up({ ...texts, rules: [rule(name, 0)] });
      const failing = subject.update(made, { ...texts, rules: [rule(name, 100)] });
      await expect(failing).rejects.toThrow(/rises at once/);
      await expect(failing).rejects.not.toThrow(advice);
      expect(await deskOf(subject.emulator).list(`/gates/${texts.key}/reviews`)).toEqual([]);
      expect(await shares(texts.key)).toEqual([[name, 0]]);
    },
  );
});

test.each<JsonObject>([
  { key: "review_page" },
  { key: "checkout", tags: ["review"], description: "review" },
  { key: "requires-a-review", name: "Requires a review soon" },
])("a console that requires reviews is understood, whatever the objects are called: %j", async (texts) => {
  await start(catalog.gate, { behaviour: { requiredReviews: "refuse" } });
  const gate = { ...texts, reviewSettings: { requiredReview: true } };
  const made = await subject.up(gate);
  await expect(subject.update(made, { ...gate, isEnabled: false })).rejects.toThrow(advice);
});

const refused = (status: number, body: unknown, sent: unknown = {}) =>
  failure(
    "PATCH /gates/review",
    { status, headers: {}, text: JSON.stringify(body) },
    { secrets: [], now: 0, sent },
  );

test.each<[boolean, number, string, JsonObject?, JsonObject?]>([
  [true, 403, "Review required"],
  [true, 400, "review_required"],
  [true, 400, "Changes have to be reviewed by Ana"],
  [true, 400, "Bad", {}, { property: "rules", errorMessage: "needs a review" }],
  [true, 400, "This project requires reviews", { name: "reviews" }],
  [false, 400, "Bad", {}, { property: "reviewSettings", errorMessage: "Required" }],
  [false, 400, 'Another object, "Review of tax", uses it'],
  [false, 400, "Another object, code-review, uses it"],
  [false, 400, "Cannot PATCH /console/v1/gates/x/review"],
  [false, 400, "tag review is unknown", { tags: ["review"] }],
  [false, 400, "Tag PEER REVIEW is unknown", { tags: ["Peer review"] }],
  [false, 422, "Review required"],
])("it is %s that %i %s is for want of a review", (isIt, status, message, live = {}, error = undefined) => {
  const answer = refused(status, { message, ...(error === undefined ? {} : { errors: [error] }) });
  for (const one of [answer, reworded(answer, "In other words, review.")])
    expect(isForReview(one, { live, program: {} })).toBe(isIt);
});

const keyed = { body: { rules: [{ name: "Key is already in use!" }] } };
test.each<[number, string, JsonObject, string]>([
  [404, "Gate no-route not found.", { params: { id: "no-route" } }, "not-found"],
  [404, "no Route matched with those values", { params: { id: "route" } }, "unexpected-answer"],
  [404, "no Route matched with those values", {}, "unexpected-answer"],
  [400, 'Rule "Already in use" has no condition', {}, "refused"],
  [400, "Rule Key is already in use! has no condition", keyed, "refused"],
  [400, "Name is already in use", { body: { name: "name", description: "in use" } }, "exists"],
  [400, "Name is already in use", { body: { name: "Name", description: "Already in use" } }, "exists"],
  [401, "Forbidden resource", { body: {} }, "forbidden"],
])("%i %s", (status, message, sent, category) => {
  expect(refused(status, { message }, sent)).toMatchObject({ category });
});

test("long texts of a console, and long names, are looked at without delay", () => {
  const begun = performance.now();
  ownWords("a-".repeat(10_000), { name: `${"not  ".repeat(200)}x` });
  ownWords(`${"not  ".repeat(900)}x`, { name: `${"not  ".repeat(900)}x` });
  ownWords(`'"\``.repeat(2000));
  expect(performance.now() - begun).toBeLessThan(2000);
});

test.each([..."-/\\^$.*+?()[]{}|&~#,:"])(
  "an object whose texts hold %s is refused in the console's words, and a secret with it is hidden",
  (sign) => {
    const value = `a${sign}b`;
    expect(ownWords(`not allowed for ${value} today`, { name: value })).toBe("not allowed for today");
    const hidden = withoutSecrets(`found ${value} here`, secretTexts([{ value }], [["value"]]));
    expect(hidden).toBe("found [secret] here");
  },
);

test("words of a console hold nothing that was sent, and are no member that is printed", () => {
  const sent = { body: { name: "Ünïcode (1) \ud800", ids: [12, "a%b"] } };
  expect(ownWords("ünïcode (1) \ud800 and a%25b and 12 are 123", sent)).toBe("and and are 123");
  expect(Object.keys(refused(400, { message: "secret words" }))).not.toContain("words");
});

const hush = ["hush", "word"].join("-");
/** A program some of whose arguments are secrets. */
const program = (args: JsonObject, ...secrets: (string | number)[][]) => ({
  ...args,
  __program: { secrets },
});
const key = "flag";

// Pulumi shows the value of the argument that a failure names, with the secrets in it.
test("a refused argument that is a secret is not shown, and one beside it is", async () => {
  await start(catalog.gate);
  const args = program({ key, idType: 5, isEnabled: hush }, ["isEnabled"]);
  expect(await subject.problems(args)).toEqual([
    { property: "", reason: "isEnabled: found [secret]; true or false is needed" },
    { property: "idType", reason: "found 5; text is needed" },
  ]);
});

test("a secret deep inside hides what is at, above and below it, and nothing else", async () => {
  await start(catalog.gate);
  const rules = [
    { name: "All", passPercentage: hush, conditions: [] },
    { name: "Some", passPercentage: "many", conditions: [{ type: "email", operator: hush, targetValue: 1 }] },
  ];
  const args = program({ key, rules }, ["rules", 0, "passPercentage"], ["rules", 1, "conditions"]);
  const reasons = (await subject.problems(args)).map(({ reason }) => reason);
  expect(reasons.join()).not.toContain(hush);
  expect(reasons).toContainEqual("rules[0].passPercentage: found [secret]; a number is needed");
  expect(reasons).toContainEqual('rules[1].passPercentage: found "many"; a number is needed');
  expect(await subject.problems(program({ key, rules: { a: hush } }, ["rules", "a"]))).toEqual([
    { property: "", reason: "rules: found [secret]; an array is needed" },
  ]);
});

test("a secret that cannot change shows neither as it was nor as it is to be", async () => {
  await start(catalog.layer);
  const area = (idType: string) => program({ name: "area", idType }, ["idType"]);
  const made = await subject.up(area(hush));
  const [problem] = await subject.problems(area("another"), made.inputs);
  expect(problem?.reason).toMatch(
    /^idType: cannot change from \[secret\] to \[secret\]: .* Put \[secret\] back/,
  );
});

test("what is said of a change leaves secrets out, and which they are is neither kept nor a change", async () => {
  await start(catalog.gate);
  const args = (share: number) => ({ key, rules: [rule(hush, share)] });
  const told = (share: number) => program(args(share), ["rules", 0, "name"]);
  const made = await subject.up(told(10));
  expect(made.inputs).not.toHaveProperty("__program");
  expect(made.outputs).not.toHaveProperty("__program");
  await expectQuiet(made, args(10));
  subject.nextRun();
  await expectChange(made, told(20));
  expect(subject.lines.join("\n")).toContain("rules: changes, with a secret in it");
  expect(subject.lines.join("\n")).not.toContain(hush);
});
