import { expect, jest, test } from "@jest/globals";
import type { LanguageName } from "../../src/tools/import/program-language";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { playsAll } from "../support/sample";
import { planMessyConsole } from "./console/messy-console";
import { proveRoundTrip } from "./proof";

jest.setTimeout(FIRST_CLI_TIMEOUT_MS);

// `npm run prove -- import` goes once round, with 800. `every-case.test.ts` refreshes what is imported, in this process. YAML is imported
// by `npm run prove -- cases`: `yaml-program.test.ts` has its text, `yaml.test.ts` in `test/e2e` what Pulumi makes of such a program.
test.each<LanguageName>(playsAll ? ["typescript", "yaml"] : ["typescript"])(
  "sixty messy objects of all kinds in %s: a quiet preview",
  async (language) => {
    const { faults, told } = await proveRoundTrip(planMessyConsole({ seed: 14, count: 60 }), {
      ...{ language, enough: true },
    });
    expect(faults).toEqual([]);
    // Keys lead to their objects as secrets, and YAML has no null.
    const expected = language === "yaml" ? /^(key |.*null)/ : /^key /;
    const leftOut = told.leftOut.map(({ object, why }) => `${object}: ${why}`);
    expect(leftOut.filter((line) => !expected.test(line))).toEqual([]);
    expect(told.objects).toBeGreaterThan(40);
  },
);
