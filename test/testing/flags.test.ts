import { equal } from "node:assert/strict";
import { describe, expect, jest, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import { type FlagUser, flagsOf } from "../../src/tools/testing";

const inZealand: fc.ConditionArgs = { type: "country", operator: "any", targetValue: ["NZ"] };

const rules: Record<"staff" | "zealand", fc.GateRuleArgs> = {
  staff: {
    name: "Staff",
    passPercentage: 100,
    conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
  },
  zealand: {
    name: "New Zealand",
    passPercentage: 10,
    conditions: [inZealand],
  },
};

/** A member of staff who is in New Zealand, outside the share there. */
const ann: FlagUser = { userID: "ann", email: "ann@example.com", country: "NZ" };

const checkout =
  (...order: fc.GateRuleArgs[]) =>
  () => {
    new fc.Gate("checkout_v2", { rules: order });
  };

describe("flags of a program", () => {
  test("staff pass, New Zealand gets 10 %, nobody else", async () => {
    const flags = await flagsOf(checkout(rules.staff, rules.zealand));
    expect(flags.gate("checkout_v2", ann)).toMatchObject({ value: true, rule: "Staff" });
    const share = flags.share("checkout_v2", { country: "NZ" });
    expect(share).toEqual({ ...share, count: 10_000 });
    expect(share.low).toBeLessThan(10);
    expect(share.high).toBeGreaterThan(10);
    expect(share.high - share.low).toBeLessThan(2.5);
    expect(flags.share("checkout_v2", { country: "DE" })).toEqual({
      percent: 0,
      low: 0,
      high: 0.11,
      count: 10_000,
    });
    expect(flags.share("checkout_v2", ann)).toMatchObject({ percent: 100, high: 100 });
    expect(flags.whoPasses("checkout_v2", { ann, berta: { userID: "b", country: "DE" } })).toEqual({
      ann: { passes: true, rule: "Staff" },
      berta: { passes: false, rule: null },
    });
  });

  test("a test fails when somebody swaps two rules, and its message names the rule that decided", async () => {
    const check = async (...order: fc.GateRuleArgs[]) => {
      const { value, why } = (await flagsOf(checkout(...order))).gate("checkout_v2", ann);
      equal(value, true, why);
    };
    await check(rules.staff, rules.zealand);
    await expect(check(rules.zealand, rules.staff)).rejects.toThrow(
      'checkout_v2 fails: rule "New Zealand" (1 of 2), 10 % of users in NZ, and the user is outside that share',
    );
    const flags = await flagsOf(checkout(rules.zealand, rules.staff));
    expect(() =>
      expect(flags.gate("checkout_v2", ann)).toMatchObject({ value: true, rule: "Staff" }),
    ).toThrow('"New Zealand"');
  });

  test("says in plain words which conditions are met, and of each rule before the first one that is not", async () => {
    const since: fc.ConditionArgs = { type: "app_version", operator: "version_gte", targetValue: "2.0" };
    const flags = await flagsOf(
      checkout(
        { ...rules.staff, environments: ["production"] },
        { ...rules.zealand, conditions: [inZealand, since] },
        { ...rules.zealand, name: "Kiwis", passPercentage: 0 },
        { name: "Everyone", passPercentage: 100, conditions: [{ type: "public" }] },
      ),
      { environment: "staging" },
    );
    const kiwi = flags.gate("checkout_v2", { ...ann, appVersion: "1.9" });
    expect(kiwi.why).toBe(
      'checkout_v2 fails: rule "Kiwis" (3 of 4), 0 % of users in NZ; ' +
        'rule "Staff" did not match (not met: in environment production); ' +
        'rule "New Zealand" did not match (not met: app version is 2.0 or later)',
    );
    expect(kiwi.met).toEqual(["in NZ"]);
    expect(kiwi.unmet).toEqual([
      { rule: "Staff", condition: "in environment production" },
      { rule: "New Zealand", condition: "app version is 2.0 or later" },
    ]);
    const other = flags.gate("checkout_v2", { userID: "bo", email: "bo@mail.org" });
    expect(other).toMatchObject({ rule: "Everyone", met: [] });
    expect(other.unmet[0]).toEqual({ rule: "Staff", condition: "e-mail contains @example.com" });
    expect(other.why).toContain(
      'rule "Everyone" (4 of 4), 100 % of everyone else; rule "Staff" did not match',
    );
  });

  test("never says that a rule did not match whose conditions the SDK does not know, or after which it stopped", async () => {
    const flags = await flagsOf(
      checkout(
        rules.staff,
        { name: "Script", passPercentage: 100, conditions: [{ type: "javascript", targetValue: "true" }] },
        rules.zealand,
      ),
    );
    const { why, unmet } = flags.gate("checkout_v2", { userID: "bo", country: "DE" });
    expect(why).toBe(
      'checkout_v2 fails: the SDK does not know a condition of rule "Script", so it answers its default; ' +
        'rule "Staff" did not match (not met: e-mail contains @example.com)',
    );
    expect(unmet).toHaveLength(1);
    expect(flags.gate("checkout_v2", ann).unmet).toEqual([]);
  });

  test("of a rule with variants, and of many rules, a sentence stays readable", async () => {
    const flags = await flagsOf(() => {
      new fc.DynamicConfig("colour", {
        defaultValue: {},
        rules: [
          {
            ...{ name: "Half", passPercentage: 100, conditions: [inZealand] },
            variants: [
              { name: "Blue", passPercentage: 0, returnValue: { colour: "blue" } },
              { name: "Red", passPercentage: 100, returnValue: { colour: "red" } },
            ],
          },
        ],
      });
      checkout(...Array.from({ length: 12 }, (_, at) => ({ ...rules.staff, name: `Staff ${at + 1}` })))();
    });
    expect(flags.config("colour", ann).why).toBe(
      'colour: variant "Red" of rule "Half" (1 of 1), 100 % of users in NZ',
    );
    expect(flags.config("colour", { userID: "bo" }).why).toBe(
      'colour: no rule is for this user, so the default value; rule "Half" did not match (not met: in NZ)',
    );
    const { why, unmet } = flags.gate("checkout_v2", { userID: "bo" });
    expect(why).toMatch(/rule "Staff 4" did not match \([^)]*\); neither did 8 more rules$/);
    expect(unmet).toHaveLength(12);
  });

  test("of a config says on which side of a share the user is", async () => {
    const flags = await flagsOf(() => {
      const rule = { name: "Some", passPercentage: 50, conditions: [inZealand], returnValue: { most: 9 } };
      new fc.DynamicConfig("limits", { defaultValue: { most: 1 }, rules: [rule] });
    });
    const sides = Array.from({ length: 50 }, (_, number) => {
      const { value, why } = flags.config("limits", { userID: `user-${number}`, country: "NZ" });
      return `${String(value.most)}: ${why}`;
    });
    const place = 'limits: rule "Some" (1 of 1), 50 % of users in NZ, and the user is';
    expect([...new Set(sides)].sort()).toEqual([
      `1: ${place} outside that share`,
      `9: ${place} in that share`,
    ]);
  });

  test("decides the same for a user in every run, also beside other flags, and keeps those who passed when a share rises", async () => {
    const passing = async (share: number, others: number) => {
      const flags = await flagsOf(() => {
        for (let other = 0; other < others; other += 1)
          new fc.Gate(`other_${other}`, { rules: [rules.staff] });
        checkout({ ...rules.zealand, passPercentage: share })();
      });
      const users = Array.from({ length: 200 }, (_, number) => `user-${number}`);
      return users.filter((userID) => flags.gate("checkout_v2", { userID, country: "NZ" }).value);
    };
    const few = await passing(30, 0);
    expect(await passing(30, 3)).toEqual(few);
    const more = await passing(60, 1);
    expect(more).toEqual(expect.arrayContaining(few));
    expect(more.length).toBeGreaterThan(few.length);
  });

  test("of an environment, or of that of a user", async () => {
    const program = () => {
      new fc.Gate("beta", {
        rules: [
          { name: "Try", passPercentage: 100, environments: ["staging"], conditions: [{ type: "public" }] },
        ],
      });
    };
    expect((await flagsOf(program, { environment: "staging" })).gate("beta", {})).toMatchObject({
      value: true,
      rule: "Try",
    });
    const production = await flagsOf(program, { environment: "production" });
    expect(production.gate("beta", {})).toMatchObject({
      value: false,
      why: 'beta fails: no rule is for this user; rule "Try" did not match (not met: in environment staging)',
    });
    const either = await flagsOf(program);
    expect(either.gate("beta", { statsigEnvironment: { tier: "staging" } }).value).toBe(true);
    expect(either.gate("beta", {}).value).toBe(false);
  });

  test("by the stack's configuration, of a program that exports a function", async () => {
    const program = async () => ({
      default: async () => {
        const share = new pulumi.Config().requireNumber("share");
        const region = new pulumi.Config("aws").require("region");
        checkout({
          name: `${pulumi.getStack()} ${region}`,
          passPercentage: share,
          conditions: [{ type: "public" }],
        })();
      },
    });
    const config = { share: "100", "aws:region": "eu-west-1" };
    const flags = await flagsOf(program, { config, project: "shop", stack: "prod" });
    expect(flags.gate("checkout_v2", {})).toMatchObject({ value: true, rule: "prod eu-west-1" });
  });

  test("by configuration that is no text, and what other stacks have", async () => {
    const program = () => {
      const { share } = new pulumi.Config().requireObject<{ share: number }>("checkout");
      const region = new pulumi.StackReference("shop/platform/prod").requireOutput("region");
      checkout({
        name: "Region",
        passPercentage: share,
        conditions: [{ type: "country", operator: "any", targetValue: [region] }],
      })();
    };
    const config = { checkout: { share: 100 } };
    const stacks = { "shop/platform/prod": { region: "NZ" } };
    expect((await flagsOf(program, { config, stacks })).gate("checkout_v2", ann).value).toBe(true);
    const reading = () => {
      new pulumi.StackReference("shop/platform/prod").getOutput("region");
      checkout(rules.staff)();
    };
    await expect(flagsOf(reading)).rejects.toThrow(
      'the program reads the stack "shop/platform/prod": set its outputs by { stacks: ',
    );
  });

  test("with a warning for each argument of which another stack, or another package, has no value here", async () => {
    class Bucket extends pulumi.CustomResource {
      declare readonly arn: pulumi.Output<string>;
      constructor(name: string) {
        super("aws:s3/bucket:Bucket", name, { arn: undefined, acl: "private" });
      }
    }
    const stacks = { "shop/platform/prod": { region: "NZ", name: "Sound" } };
    const program = () => {
      const platform = new pulumi.StackReference("shop/platform/prod");
      checkout({ ...rules.staff, name: "Staff" })();
      new fc.Gate("logs", { description: new Bucket("media").arn, name: platform.getOutput("nmae") });
      new fc.Gate("sound", { description: platform.getOutput("name"), idType: pulumi.output(undefined) });
    };
    const warnings: string[] = [];
    const warn = (text: string) => warnings.push(text);
    await flagsOf(program, { stacks, warn });
    expect(warnings.sort()).toEqual([
      'Gate "logs": description has no value: it comes from aws:s3/bucket:Bucket "media", of which only its arguments are known here: ' +
        "mock its outputs by { fallback }",
      'Gate "logs": name has no value: it comes from the stack "shop/platform/prod", for which { stacks } has region, name',
    ]);
  });

  test("of programs that are asked for at once", async () => {
    const named = (name: string) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      checkout({ ...rules.staff, name })();
    };
    const both = await Promise.all([flagsOf(named("first")), flagsOf(named("second"))]);
    expect(both.map((flags) => flags.gate("checkout_v2", ann).rule)).toEqual(["first", "second"]);
  });

  test("of other kinds: configs, experiments, layers, holdouts, overrides, lists of ids", async () => {
    const flags = await flagsOf(() => {
      const testers = new fc.Segment("testers", { type: "id_list", ids: ["t1"] });
      const gate = new fc.Gate("beta", {
        rules: [
          {
            name: "Testers",
            passPercentage: 100,
            conditions: [{ type: "passes_segment", targetValue: testers }],
          },
        ],
      });
      new fc.GateOverrides("beta", { gate, failingUserIDs: ["t2"] });
      new fc.DynamicConfig("limits", {
        defaultValue: { most: 10 },
        rules: [
          {
            name: "Beta",
            passPercentage: 100,
            conditions: [{ type: "passes_gate", targetValue: gate }],
            returnValue: { most: 20 },
          },
        ],
      });
      const layer = new fc.Layer("colours", {
        idType: "userID",
        parameters: [{ name: "colour", type: "string", defaultValue: "blue" }],
      });
      new fc.Experiment("red_button", {
        ...{ hypothesis: "Red sells more", layerID: layer.id, targetingGateID: gate.id, status: "active" },
        groups: [{ name: "Red", size: 100, parameterValues: { colour: "red" } }],
      } as fc.ExperimentArgs);
      const held = new fc.Gate("held", {
        rules: [{ name: "All", passPercentage: 100, conditions: [{ type: "public" }] }],
      });
      const holdout = new fc.Holdout("nobody", { passPercentage: 1, gateIDs: [held.id] });
      new fc.HoldoutOverrides("nobody", { holdout, passingUserIDs: ["t1"] });
      new fc.Gate("closed", { isEnabled: false });
    });
    const tester = { userID: "t1" };
    const config = flags.config("limits", tester);
    expect([config.value, config.why]).toEqual([
      { most: 20 },
      'limits: rule "Beta" (1 of 1), 100 % of users in gate "beta"',
    ]);
    expect(flags.config("limits", {}).why).toBe(
      'limits: no rule is for this user, so the default value; rule "Beta" did not match (not met: in gate "beta")',
    );
    const layer = flags.layer("colours", tester);
    expect([layer.get("colour", ""), layer.why]).toEqual(["red", 'red_button: group "Red"']);
    expect(flags.layer("colours", {}).why).toBe("red_button: the targeting gate keeps this user out");
    expect(flags.experiment("red_button", tester)).toMatchObject({ rule: "Red", value: { colour: "red" } });
    expect(flags.gate("held", tester).why).toBe('held fails: the holdout "nobody" holds this user out');
    expect(flags.gate("beta", { userID: "t2" }).why).toBe("beta fails: an override names this user");
    expect(flags.gate("closed", tester).why).toBe("closed fails: it is off or has no rules");
    expect(flags.sdk.checkGate(tester, "beta")).toBe(true);
  });

  test("of one of several providers", async () => {
    const program = () => {
      for (const region of ["eu", "us"]) {
        const provider = new fc.Provider(region, { profile: "embedded" });
        const args = { key: "checkout_v2", rules: [{ ...rules.staff, name: region }] };
        new fc.Gate(`checkout_${region}`, args, { provider });
      }
    };
    expect((await flagsOf(program, { provider: "us" })).gate("checkout_v2", ann)).toMatchObject({
      rule: "us",
    });
    await expect(flagsOf(program)).rejects.toThrow('"eu", "us"; name one by { provider }');
    await expect(flagsOf(program, { provider: "uk" })).rejects.toThrow('its providers are "eu", "us"');
  });

  test("what is wrong is told", async () => {
    await expect(flagsOf(checkout({ ...rules.staff, passPercentage: 300 }))).rejects.toThrow(
      "rules[0].passPercentage: found 300; at most 100 is allowed",
    );
    await expect(flagsOf(() => undefined)).rejects.toThrow(
      "the program made no resources of this package. A module runs once",
    );
    const twice = () => {
      checkout(rules.staff)();
      checkout(rules.zealand)();
    };
    await expect(flagsOf(twice)).rejects.toThrow(
      "two resources are called Gate checkout_v2: an update refuses that",
    );
    await expect(flagsOf("./index" as never)).rejects.toThrow('such as () => import("./index")');
    const flags = await flagsOf(checkout(rules.staff));
    expect(() => flags.gate("chekout_v2", ann)).toThrow('no gate "chekout_v2"; did you mean "checkout_v2"?');
    expect(() => flags.share("chekout_v2")).toThrow('did you mean "checkout_v2"?');
    expect(() => flags.layer("colours", ann)).toThrow('no layer "colours"; there is none');
  });

  test("without the SDK the message says what to install", async () => {
    jest.doMock("statsig-node", () => {
      throw Object.assign(new Error("Cannot find module 'statsig-node'"), { code: "MODULE_NOT_FOUND" });
    });
    await expect(flagsOf(checkout(rules.staff))).rejects.toThrow("npm install --save-dev statsig-node");
    jest.dontMock("statsig-node");
  });

  test("300 resources", async () => {
    const start = process.cpuUsage();
    const flags = await flagsOf(() => {
      for (let number = 0; number < 300; number += 1)
        new fc.Gate(`gate_${number}`, { rules: [rules.staff, rules.zealand] });
    });
    expect(flags.gate("gate_299", ann).value).toBe(true);
    // Of the processor: on a busy machine the clock measures the others.
    const { user, system } = process.cpuUsage(start);
    expect(user + system).toBeLessThan(10_000_000);
  });
});

describe("what a preview warns of", () => {
  const asking = (key: string, targetValue: string) =>
    new fc.Gate(key, {
      rules: [{ name: "A", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue }] }],
    });

  async function warningsOf(program: () => unknown): Promise<string[]> {
    const warnings: string[] = [];
    await flagsOf(program, { warn: (text) => warnings.push(text) });
    return warnings;
  }

  test("a misspelt gate is told", async () => {
    const program = () => {
      new fc.Gate("checkout_v2");
      asking("asker", "chekcout_v2");
    };
    expect(await warningsOf(program)).toEqual([
      'gate "asker": rules[0].conditions[0].targetValue: "chekcout_v2" is no gate of this program; did you mean "checkout_v2"?',
    ]);
  });

  test("a gate that asks itself, and a circle of two, are told", async () => {
    const end = ": statsig-node answers its default for that; take one of the conditions away.";
    expect(await warningsOf(() => asking("alone", "alone"))).toEqual([`gate "alone" asks itself${end}`]);
    const program = () => {
      asking("first", "second");
      asking("second", "first");
    };
    expect((await warningsOf(program)).sort()).toEqual([
      `gate "first" asks itself by way of gate "second"${end}`,
      `gate "second" asks itself by way of gate "first"${end}`,
    ]);
  });

  test("a rule for no environment is told", async () => {
    const program = () => new fc.Gate("checkout_v2", { rules: [{ ...rules.staff, environments: [] }] });
    expect(await warningsOf(program)).toEqual([
      'gate "checkout_v2": rules[0].environments: is empty, so the rule holds in no environment; null stands for every one.',
    ]);
  });
});

test("an option that flagsOf does not have is an error that names the one that was meant", async () => {
  await expect(flagsOf(checkout(rules.staff), { enviroment: "staging" } as never)).rejects.toThrow(
    'flagsOf has no option "enviroment"; did you mean "environment"?',
  );
});
