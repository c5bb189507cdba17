import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { blocksOf, missing, textOfGuide } from "../support/guide-pages";
import { Desk } from "./desk";

// The page for emergencies: what it shows of `drift` is what `drift` prints.

let api: Desk;
beforeAll(() => {
  api = new Desk();
});
afterAll(() => api?.close());

const page = "emergency.md";
const of = (kind: string) => blocksOf(page).flatMap(({ kind: one, text }) => (one === kind ? [text] : []));
const [firstProgram = "", secondProgram = ""] = of("ts");
const [atFirst = "", onceAccepted = "", unset = "", unsetAccepted = ""] = of("text");
const [disable = "", , disableSearch = ""] = Array.from(
  textOfGuide(page).matchAll(/\$FEATURE_CONSOLE_BASE_URL\/console\/v1(\/\S+)"/g),
  ([, place]) => String(place),
);
const body = JSON.parse(/-d '(.*)'/.exec(textOfGuide(page))?.[1] ?? "");

/** Holds what the page shows against `drift`, and `drift --accept` after it, which leaves nothing to do. */
async function expectShown(drift: string, accepted: string): Promise<void> {
  const findings = await api.compare();
  expect(missing(drift, await api.told(findings))).toEqual([]);
  const { outcomes } = await api.accept(findings);
  // The last line is that of `pulumi preview`.
  const [ofAccept = ""] = accepted.split("\n");
  expect(missing(ofAccept, await api.told({ ...findings, outcomes }))).toEqual([]);
  expect(await api.changes()).toEqual({});
}

test("a flag that is switched off, with isEnabled in the program and without, is shown as on the page", async () => {
  writeFileSync(api.file, firstProgram);
  await api.up();
  await api.asAna("PUT", disable);
  await expectShown(atFirst, onceAccepted);
  expect(api.program).toContain("isEnabled: false");

  await api.raw.gate.create({ body });
  writeFileSync(api.file, secondProgram);
  await api.up();
  await api.asAna("PUT", disableSearch);
  // `pulumi up --refresh`
  const { resources } = await api.stack.exported();
  await api.stack.refresh(resources.map(({ urn }) => urn));
  await api.up();
  await expectShown(unset, unsetAccepted);
});
