import type { ResourceDefinition } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { keptIn } from "../schema/memoized";
import { kindInWords } from "../schema/references";
import { UNKNOWN } from "../schema/unknown";
import { machineOf } from "../values/machine";

/** A part of another object's units that an object asks for. */
export interface ShareClaim {
  /** `layer "shop"`. */
  readonly of: string;
  readonly percent: number;
  /** The object that asks for it: `experiment "buttons"`. */
  readonly by: string;
}

/** Objects that ask for more than all of another object's units. */
export interface Overclaim {
  readonly of: string;
  readonly percent: number;
  readonly by: readonly string[];
}

/**
 * The share that an object asks for; undefined before it starts, after it ends, and while the other object is not known.
 * @param labelOf the object that an argument names whose id only the update makes: `layer "shop"`
 */
export function shareClaimOf(
  definition: ResourceDefinition,
  args: JsonObject,
  by: string,
  labelOf: (argument: string) => string | undefined = () => undefined,
): ShareClaim | undefined {
  const machine = machineOf(definition);
  const [name, field] =
    Object.entries(definition.fields).find(([, one]) => one.traits.shareOutside !== undefined) ?? [];
  const within = field?.traits.shareOutside?.of;
  if (machine === undefined || name === undefined || within === undefined) return undefined;
  const [of, share = field?.traits.serverDefault] = [args[within], args[name]];
  const start = machine.moves.find(({ from }) => from.includes(machine.initial));
  if (args[machine.field] !== start?.to || typeof of !== "string" || of === "" || typeof share !== "number")
    return undefined;
  const kind = kindInWords(String(definition.fields[within]?.traits.refersTo));
  const label = of === UNKNOWN ? labelOf(within) : `${kind} ${JSON.stringify(of)}`;
  return label?.startsWith(`${kind} `) === true ? { of: label, percent: share, by } : undefined;
}

/** Objects of which more than 100 % is claimed. Of several claims of one object the last counts. */
export function overclaims(claims: readonly ShareClaim[]): Overclaim[] {
  const groups = new Map<string, Map<string, number>>();
  for (const { of, by, percent } of claims) {
    keptIn(groups, of, () => new Map<string, number>()).set(by, percent);
  }
  return [...groups].flatMap(([of, group]) => {
    const percent = [...group.values()].reduce((sum, one) => sum + one, 0);
    return percent > 100 ? [{ of, percent: Number(percent.toFixed(2)), by: [...group.keys()].sort() }] : [];
  });
}

/** `experiment "a" and experiment "b" ask for 140 % of layer "shop" together: ...`. */
export function overclaimText({ of, percent, by }: Overclaim): string {
  const names = by.length > 3 ? `${by.slice(0, 3).join(", ")} and ${by.length - 3} more` : by.join(" and ");
  return `${names} ask for ${percent} % of ${of} together: whichever starts last gets only the rest`;
}
