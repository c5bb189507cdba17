import { expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { mustStayQuiet } from "../laws/quiet";
import { startSubject } from "../laws/subject";
import { partialOf } from "../support/driver";

// The strategy went out only when it changed itself, and a project whose policy asks for it refused each later change of
// the rules.

const strategy = { type: "bypass" };
const rule = (name: string, passPercentage: number) => ({
  name,
  passPercentage,
  conditions: [{ type: "public" }],
});
const args = (percentage: number, more: JsonObject = {}): JsonObject => ({
  key: "flag_one",
  name: "flag_one",
  gradualRolloutStrategy: strategy,
  rules: [rule("A", percentage), rule("B", 5)],
  ...more,
});

/** The bodies of the writes of an update. */
async function bodies(from: JsonObject, to: JsonObject): Promise<JsonObject[]> {
  const sent: JsonObject[] = [];
  const through = ({ send }: Transport): Transport => ({
    send(request) {
      if (request.method !== "GET") sent.push(JSON.parse(request.body ?? "{}") as JsonObject);
      return send(request);
    },
  });
  const subject = await startSubject(catalog.gate, { through });
  const made = await subject.up(from);
  sent.length = 0;
  const updated = await subject.update(made, to);
  expect(await subject.diff(updated, to)).toEqual({ quiet: true, replaces: [] });
  await subject.close();
  return sent;
}

test("a change of one rule carries the strategy, by the route that takes it", async () => {
  expect(await bodies(args(10), args(20))).toMatchObject([
    {
      gradual_rollout_strategy: strategy,
      rules: [
        { name: "A", passPercentage: 20 },
        { name: "B", passPercentage: 5 },
      ],
    },
  ]);
});

test("another change does not, and without a strategy one rule goes by its own route", async () => {
  expect(await bodies(args(10), args(10, { description: "New" }))).toEqual([{ description: "New" }]);
  const { gradualRolloutStrategy: _without, ...bare } = args(10);
  const { gradualRolloutStrategy: _too, ...more } = args(20);
  expect(await bodies(bare, more)).toEqual([{ passPercentage: 20 }]);
});

test("the strategy, which no read shows, is sent again after an update that was refused", async () => {
  const gate = await startSubject(catalog.gate);
  await gate.up({ key: "taken_name", __program: { name: "other" } });
  const made = await gate.up({ key: "refused_gate" });

  const unseen = { gradualRolloutStrategy: { type: "bypass" }, creatorEmail: "owner@example.com" };
  const refused = { key: "refused_gate", name: "taken_name", ...unseen };
  const inputs = await gate.checked(refused, made.inputs);
  const failure = await gate.update(made, refused).catch(partialOf);
  expect(failure?.id).toBe(made.id);

  const left = { ...made, inputs, outputs: failure && "properties" in failure ? failure.properties : {} };
  const corrected = { key: "refused_gate", name: "refused_gate", ...unseen };
  expect((await gate.diff(left, corrected)).quiet).toBe(false);
  expect((await gate.update(left, corrected)).outputs).toMatchObject(unseen);
  const statuses = gate.emulator.requests.flatMap(({ route, status }) => (route === "patch" ? [status] : []));
  expect(statuses).toEqual([400, 200]);
  await gate.close();
});

test("[A7] the stages of a gradual rollout have members, and there is one at least", async () => {
  const subject = await startSubject(catalog.gate);
  const stage = {
    passPercent: 10,
    isComplete: false,
    timeString: "tomorrow",
    phaseDurationMs: 1000,
    time: 5,
  };
  const strategy = (phases: unknown[]) => ({ gradualRolloutStrategy: { type: "gradual", phases } });
  const args = { key: "one", rules: [], ...strategy([stage]) };
  const made = await subject.up(args);
  await mustStayQuiet(subject, made, args);
  const bad = await subject.problems({ key: "two", ...strategy([]) });
  expect(bad).toMatchObject([{ reason: expect.stringContaining("at least 1") }]);
  const lacking = await subject.problems({ key: "two", ...strategy([{ passPercent: 1 }]) });
  expect(lacking).toMatchObject([{ reason: expect.stringMatching(/phases\[0\]\.isComplete: missing/) }]);
  await subject.close();
});
