import { z } from "zod";
import type { ParameterUse, Problem } from "../../../schema/define";
import { maybe, nested } from "../../../schema/field";
import { isObject, type JsonObject, jsonType, kept, listIn, objectsIn } from "../../../schema/json";
import { holdsUnknown, UNKNOWN } from "../../../schema/unknown";
import { quote } from "../../../texts/issue-text";
import { inEach, repeatedNames } from "../names";
import { maybeText } from "../traits";

const group = z.object({
  name: nested(z.string().min(1), { doc: "Unique among the groups of one experiment." }),
  size: nested(z.number().min(0).max(100), {
    doc: "Share of the experiment's units, in percent; all groups together make 100.",
  }),
  parameterValues: nested(z.record(z.string(), z.unknown()), {
    doc: "The values for units of the group, by parameter name.",
    sameAs: "opaque",
    typedByProgram: "whole",
  }),
  description: nested(z.string().optional(), { doc: "Its type.", serverDefault: "" }),
  foreignGroupID: maybeText("Its id in another system."),
  highlighted: nested(z.boolean().optional(), { doc: "Whether the console marks it.", serverDefault: false }),
  // Left out of a list of groups, an id would make a new group and a switched-off group would run again.
  id: nested(z.string().nullable().optional(), { doc: "Its id in the console.", serverSet: "identity" }),
  disabled: maybe(z.boolean(), "Whether it is switched off; declared by `disabledGroups`.", {
    serverSet: "identity",
  }),
  isControl: nested(z.boolean().optional(), { doc: "Whether others are compared with it.", serverSet: true }),
  shipped: nested(z.boolean().optional(), { doc: "Whether it was shipped.", serverSet: true }),
  images: maybe(z.array(z.unknown()), "Pictures of it.", { serverSet: true, sameAs: "opaque" }),
  foreignGroupIDVerified: maybe(z.boolean(), "Whether its id in the other system was seen there.", {
    serverSet: true,
  }),
});

/** A group of an experiment. What a program does not say of it, people may say in the console. */
export const experimentGroup = nested(group, { sparse: true });

/** Members that the visual editor copies into every group's values, and that have no effect there. */
const sidecarMembers = [
  ...["sidecarURLFilters", "sidecarDisableAutoRun", "sidecarPrerunScript", "sidecarExperimentName"],
];

/** A group without what the visual editor copies into its values (console-api/corrections.md, section 3). */
export function withoutSidecar(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.parameterValues)) return value;
  return { ...value, parameterValues: kept(value.parameterValues, (name) => !sidecarMembers.includes(name)) };
}

/** Sizes such as 33.33 are rounded: so much may be missing from 100. */
const sizeTolerance = 0.1;

/** True for sizes that make 100 together, but for rounding. No groups at all are fine. */
export function fillsAll(sizes: readonly number[]): boolean {
  const sum = sizes.reduce((total, size) => total + size, 0);
  return sizes.length === 0 || Math.abs(sum - 100) <= sizeTolerance;
}

/** The live object with the groups that are off, by name. */
export function viewGroups(live: JsonObject): JsonObject {
  if (!Array.isArray(live.groups)) return live;
  const off = live.groups.filter((group: unknown) => isObject(group) && group.disabled === true);
  return { ...live, disabledGroups: off.map(({ name }: JsonObject) => name) };
}

/** Findings about groups that no schema can make: names given twice or to no group, sizes that do not fit together. */
export function groupProblems(args: JsonObject): Problem[] {
  if (!Array.isArray(args.groups)) return [];
  const groups = args.groups.filter(isObject);
  return [
    ...repeatedNames(args, "groups", "group"),
    ...sizeProblems(groups),
    ...unknownGroupProblems(args, groups),
  ];
}

function sizeProblems(groups: readonly JsonObject[]): Problem[] {
  const sizes = groups.map(({ size }) => size).filter((size) => typeof size === "number");
  if (sizes.length < groups.length || fillsAll(sizes)) return [];
  const sum = Number(sizes.reduce((total, size) => total + size, 0).toFixed(4));
  return [{ path: ["groups"], message: `the sizes add up to ${sum}; they must add up to 100` }];
}

/** Values that groups give to parameters of a layer. */
export const valuesInGroups = ({ groups }: JsonObject): ParameterUse[] =>
  objectsIn(groups).flatMap(({ parameterValues }, at) =>
    Object.entries(isObject(parameterValues) ? parameterValues : {}).map(([name, value]) => ({
      ...{ path: ["groups", at, "parameterValues", name], name, value },
      type: value === UNKNOWN ? UNKNOWN : jsonType(value),
    })),
  );

/** Warnings about groups whose units get something else while results are counted. */
export function groupWarnings(olds: JsonObject, news: JsonObject): Problem[] {
  // Going back to setup deletes the results, so nothing is mixed.
  if (olds.status !== "active" || news.status === "setup") return [];
  const sizes = new Map(objectsIn(olds.groups).map(({ name, size }) => [name, size]));
  return inEach(news, "groups", ({ name, size }): Problem[] => {
    const before = sizes.get(name);
    if (typeof before !== "number" || typeof size !== "number" || before === size) return [];
    const message =
      `resized from ${before} to ${size} % while the experiment is active: units move between groups, and its results ` +
      "mix what they got before and after. For clean results start a new experiment";
    return [{ path: ["size"], message }];
  });
}

/** Names that no group has. Where the program is silent about groups, only the console knows. */
function unknownGroupProblems(args: JsonObject, groups: readonly JsonObject[]): Problem[] {
  if (holdsUnknown(args.groups)) return [];
  const names = groups.map(({ name }) => name);
  const off = listIn(args.disabledGroups);
  const said: [(string | number)[], unknown][] = [
    [["controlGroup"], args.controlGroup],
    [["launchedGroup"], args.launchedGroup],
    ...off.map((name: unknown, index): [(string | number)[], unknown] => [["disabledGroups", index], name]),
  ];
  return said.flatMap(([path, name]) =>
    typeof name !== "string" || name === UNKNOWN || names.includes(name)
      ? []
      : [{ path, message: `${quote(name)} is no group; there are ${names.map(quote).join(", ") || "none"}` }],
  );
}
