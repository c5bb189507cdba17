import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";
import { partialOf } from "../support/driver";

let gate: Subject;
beforeAll(async () => {
  gate = await startSubject(catalog.gate);
});
afterAll(() => gate.close());

test("what no read shows is sent again after an update that was refused", async () => {
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
});
