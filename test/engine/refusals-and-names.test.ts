import { afterEach, describe, expect, test } from "@jest/globals";
import { failure } from "../../src/provider/client/answer";
import { ownWords } from "../../src/provider/client/console-words";
import { catalog } from "../../src/provider/definitions";
import { isForReview } from "../../src/provider/engine/reviews/mode";
import { reworded } from "../../src/provider/schema/errors";
import type { JsonObject } from "../../src/provider/schema/json";
import { secretTexts, withoutSecrets } from "../../src/provider/texts/secret-texts";
import { deskOf } from "../emulator/desk";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject | undefined;
afterEach(() => subject?.close());

const advice = /reviews: "open"/;

describe.each([
  ["its key", { key: "review_page" }],
  ["a key of that word alone", { key: "review", name: "review" }],
  ["its name", { key: "checkout", name: "Review page" }],
  ["the name of a rule", { key: "checkout", rule: "Needs a review" }],
  ["a tag and a description", { key: "checkout", tags: ["review"], description: "Requires a review" }],
] as const)("a gate with the word review in %s, whose rise the console refuses", (_, texts) => {
  const { rule = "Everyone", ...rest } = texts as { rule?: string; key: string } & JsonObject;
  const gate = (passPercentage: number): JsonObject => ({
    ...rest,
    rules: [{ name: rule, passPercentage, conditions: [{ type: "public" }] }],
  });
  const start = async (reviews: string) => {
    subject = await startSubject(catalog.gate, {
      behaviour: { suddenRises: "refuse" },
      config: { "feature-console:reviews": reviews },
    });
    return subject.up(gate(0));
  };

  test('reviews: "open" opens no review, and the update fails with the words of the console', async () => {
    const made = await start("open");
    await expect((subject as Subject).update(made, gate(100))).rejects.toThrow(/rises at once/);
    const { emulator, raw } = subject as Subject;
    const desk = deskOf(emulator);
    expect(await desk.list(`/gates/${rest.key}/reviews`)).toEqual([]);
    const live = await raw.gate.get({ id: rest.key });
    expect((live.rules as JsonObject[])[0]?.passPercentage).toBe(0);
  });

  test("no advice about reviews is given", async () => {
    const made = await start("respect");
    const failing = (subject as Subject).update(made, gate(100));
    await expect(failing).rejects.toThrow(/rises at once/);
    await expect(failing).rejects.not.toThrow(advice);
  });
});

describe("a console that requires reviews is understood, whatever the objects are called", () => {
  test.each([
    [{ key: "review_page" }],
    [{ key: "checkout", tags: ["review"], description: "review" }],
    [{ key: "requires-a-review", name: "Requires a review soon" }],
  ])("%j", async (texts: JsonObject) => {
    subject = await startSubject(catalog.gate, { behaviour: { requiredReviews: "refuse" } });
    const gate = (more: JsonObject) => ({ ...texts, reviewSettings: { requiredReview: true }, ...more });
    const made = await subject.up(gate({}));
    await expect(subject.update(made, gate({ isEnabled: false }))).rejects.toThrow(advice);
  });
});

const refused = (status: number, body: unknown, sent: unknown = {}) =>
  failure("PATCH /gates/review", { status, headers: {}, text: JSON.stringify(body) }, [], 0, sent);

test.each<[number, unknown, JsonObject, boolean]>([
  [403, { message: "Review required" }, {}, true],
  [400, { message: "review_required" }, {}, true],
  [400, { message: "Changes have to be reviewed by Ana" }, {}, true],
  [400, { message: "Bad", errors: [{ property: "rules", errorMessage: "needs a review" }] }, {}, true],
  [400, { message: "This project requires reviews" }, { name: "reviews" }, true],
  [400, { message: "Bad", errors: [{ property: "reviewSettings", errorMessage: "Required" }] }, {}, false],
  [400, { message: 'Another object, "Review of tax", uses it' }, {}, false],
  [400, { message: "Another object, code-review, uses it" }, {}, false],
  [400, { message: "Cannot PATCH /console/v1/gates/x/review" }, {}, false],
  [400, { message: "tag review is unknown" }, { tags: ["review"] }, false],
  [400, { message: "Tag PEER REVIEW is unknown" }, { tags: ["Peer review"] }, false],
  [422, { message: "Review required" }, {}, false],
])("%i %j is for want of a review with %j: %s", (status, body, live, isIt) => {
  const error = refused(status, body);
  expect(isForReview(error, { live, wants: {} })).toBe(isIt);
  expect(isForReview(reworded(error, "In other words, review."), { live, wants: {} })).toBe(isIt);
});

test.each([
  [404, "Gate no-route not found.", { params: { id: "no-route" } }, "not-found"],
  [404, "no Route matched with those values", { params: { id: "route" } }, "unexpected-answer"],
  [404, "no Route matched with those values", {}, "unexpected-answer"],
  [400, 'Rule "Already in use" has no condition', {}, "refused"],
  [
    400,
    "Rule Key is already in use! has no condition",
    { body: { rules: [{ name: "Key is already in use!" }] } },
    "refused",
  ],
  [400, "Name is already in use", { body: { name: "name", description: "in use" } }, "exists"],
  [400, "Name is already in use", { body: { name: "Name", description: "Already in use" } }, "exists"],
  [401, "Forbidden resource", { body: {} }, "forbidden"],
] as const)("%i %s", (status, message, sent, category) => {
  expect(refused(status, { message }, sent)).toMatchObject({ category });
});

test("long texts of a console, and long names, are looked at without delay", () => {
  const begun = performance.now();
  ownWords("a-".repeat(10_000), { name: `${"not  ".repeat(200)}x` });
  ownWords(`${"not  ".repeat(900)}x`, { name: `${"not  ".repeat(900)}x` });
  ownWords(`'"\``.repeat(2000));
  expect(performance.now() - begun).toBeLessThan(2000);
});

test.each([..."-/\\^$.*+?()[]{}|&~#,:".split("")])(
  "an object whose texts hold %s is refused in the console's words, and a secret with it is hidden",
  (sign) => {
    const text = `a${sign}b`;
    expect(ownWords(`not allowed for ${text} today`, { name: text })).toBe("not allowed for today");
    expect(withoutSecrets(`found ${text} here`, secretTexts([{ value: text }], [["value"]]))).toBe(
      "found [secret] here",
    );
  },
);

test("words of a console hold nothing that was sent, and are no member that is printed", () => {
  const sent = { body: { name: "Ünïcode (1) \ud800", ids: [12, "a%b"] } };
  expect(ownWords("ünïcode (1) \ud800 and a%25b and 12 are 123", sent)).toBe("and and are 123");
  expect(Object.keys(refused(400, { message: "secret words" }))).not.toContain("words");
});
