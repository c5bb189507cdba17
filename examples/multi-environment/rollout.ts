import * as pulumi from "@pulumi/pulumi";

/** Every flag whose share of users differs from stack to stack. */
const flags = ["checkout_v2", "search_suggestions"] as const;

/** The share of users that sees each flag in this stack, in percent. */
export type Rollout = Readonly<Record<(typeof flags)[number], number>>;

/** Reads the shares from the settings of the stack. Throws with every slip in them. */
export function readRollout(): Rollout {
  const config = new pulumi.Config();
  const given = config.requireObject<Record<string, unknown>>("rollout");
  const slips = [
    ...flags.filter((flag) => !isShare(given[flag])).map((flag) => `${flag}: ${describe(given[flag])}`),
    ...Object.keys(given)
      .filter((name) => !flags.some((flag) => flag === name))
      .map((name) => `${name}: no flag of this program; it has ${flags.join(", ")}`),
  ];
  if (slips.length === 0) return given as Rollout;
  const place = `Pulumi.${pulumi.getStack()}.yaml, ${config.name}:rollout`;
  throw new pulumi.RunError(`${place}:\n${slips.map((slip) => `  ${slip}`).join("\n")}`);
}

function isShare(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 100;
}

function describe(value: unknown): string {
  return `${value === undefined ? "missing" : JSON.stringify(value)}; give a number from 0 to 100`;
}
