import { afterEach, expect, test } from "@jest/globals";
import { systemClock } from "../../src/provider/client/limits/limiter";
import { catalog } from "../../src/provider/definitions";
import { consoleOf, kindsNamed, progressLines } from "../../src/tools/import";
import { expressed } from "../../src/tools/import/objects";
import { readKind } from "../../src/tools/import/reading";
import { testKey } from "../emulator/desk";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject?.close());

const ingestions = [
  { source_name: "shop::web", dataset: "Events", type: "snowflake-v2" },
  { source_name: "shop", dataset: "Metrics", type: "s3", enabled: false },
];

test("what no list shows is found by one read of each place, and said with what leads to it", async () => {
  subject = await startSubject(catalog.ingestion, { seed: { ingestions } });
  const settings = { FEATURE_CONSOLE_PROFILE: "custom", FEATURE_CONSOLE_BASE_URL: subject.emulator.url };
  const environment = { ...settings, FEATURE_CONSOLE_API_KEY: testKey };
  const console = consoleOf(environment, subject.folder, () => undefined);
  const progress = progressLines(() => undefined, systemClock.now);
  const found = await readKind(console.context, catalog.ingestion, () => true, progress);
  const { objects, leftOut } = expressed(found, false);
  expect(leftOut).toEqual([]);
  // A source that its resource is called by need not be said.
  expect(objects.map(({ id, name, args }) => [id, name, args])).toEqual([
    ["shop::Metrics::s3", "shop", { dataset: "Metrics", type: "s3", enabled: false }],
    ["shop::web::Events::snowflake-v2", "shop::web", { dataset: "Events", type: "snowflake-v2" }],
  ]);
});

test("an import that names no kinds asks no place", () => {
  const usual = kindsNamed(undefined).map(({ kind }) => kind);
  expect(usual).toContain("Prompt");
  for (const kind of ["Ingestion", "IngestionSchedule", "GateOverrides"]) expect(usual).not.toContain(kind);
  expect(kindsNamed(["ingestions"])).toEqual([catalog.ingestion]);
});
