import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { harsh, mild } from "../laws/consoles";
import { quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { adopted } from "./unusual-adopted";
import { declared, type Unusual } from "./unusual-declared";

let subject: Subject | undefined;
afterEach(async () => {
  await subject?.close();
  subject = undefined;
});

const programs: readonly Unusual[] = [...declared, ...adopted];
/** The readings of the reference that concern how values are stored and shown, at their mildest and at their hardest. */
const readings = [
  ["mild", mild.behaviour],
  ["scalar", { ...mild.behaviour, singleTargets: "scalar", emptyMembers: "absent", filledDefaults: "all" }],
  [
    "list",
    {
      ...harsh.behaviour,
      unusualOperators: "accept",
      unknownTags: "create",
      unknownTargetApps: "create",
      unknownReferences: "accept",
      unknownEnvironments: "accept",
    },
  ],
] as const;

describe.each(readings)("where the console's reading is %s", (_reading, behaviour) => {
  test.each(programs.map((one) => [one.what, one] as const))(
    "unusual: %s",
    async (_, { kind, says, there }) => {
      const definition: ResourceDefinition = catalog[kind];
      const seed = there === undefined ? {} : { [there[0]]: [there[1]] };
      const on = await startSubject(definition, { behaviour, seed });
      subject = on;
      const args = there === undefined ? says : { ...says, adopt: true };
      expect(await on.problems(args)).toEqual([]);
      const made = await on.up(args);
      if (there === undefined) on.emulator.clearRequests();
      expect(await on.diff(made, args)).toEqual(quiet);
      on.nextRun();
      const refreshed = (await on.refresh(made)) as Resource;
      expect(await on.diff(refreshed, args)).toEqual(quiet);
      await on.update(refreshed, args);
      expect(on.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    },
  );
});
