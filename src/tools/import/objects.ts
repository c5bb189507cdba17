import { type ArgumentOptions, argumentsOf } from "../../provider/engine/expressed/resource-arguments";
import type { ResourceDefinition } from "../../provider/schema/define";
import { programIdArgument } from "../../provider/schema/object-id";
import type { ProgramLanguage } from "./language";
import { compareText, resourceNames } from "./program/names";
import { whyNotStorable } from "./program/not-storable";
import { type Finder, finderOf, type ProgramObject } from "./program/program-object";
import type { Found } from "./reading";

/** Objects of a console, as a program declares them. */
export interface Expressed {
  readonly objects: readonly ProgramObject[];
  readonly leftOut: readonly { readonly object: string; readonly why: string }[];
  /** Objects that are not wanted: the stack has them. */
  readonly unwanted: number;
}

/** Which objects are said, and how; what is left out: all, under any name. */
export interface Wanted extends Partial<Pick<ProgramLanguage, "whyNot" | "adapter">> {
  readonly isWanted?: (one: Found) => boolean;
  /** False for a name that a resource of another object has. */
  readonly isFree?: (definition: ResourceDefinition, name: string, id: string) => boolean;
}

/** Says objects, each under the name of a resource. */
export function expressed(
  found: readonly Found[],
  owners: boolean,
  { isWanted, isFree = () => true, whyNot, adapter = "dynamic" }: Wanted = {},
): Expressed {
  const find = finderOf(found);
  const sorted = found.toSorted(
    (a, b) => compareText(a.definition.name, b.definition.name) || compareText(a.id, b.id),
  );
  const objects: ProgramObject[] = [];
  const leftOut: Expressed["leftOut"][number][] = [];
  let unwanted = 0;
  for (const { one, name } of named(sorted, isFree)) {
    if (isWanted?.(one) === false) {
      unwanted += 1;
      continue;
    }
    // Pulumi drops the nulls of these programs.
    const said = express(one, name, find, { owners, dropsNulls: adapter === "native" });
    const why = typeof said === "string" ? said : whyNot?.(said);
    if (why !== undefined) leftOut.push({ object: `${one.definition.title} ${JSON.stringify(name)}`, why });
    else if (typeof said !== "string" && !isImplied(said)) objects.push(said);
  }
  return { objects, leftOut, unwanted };
}

/** True for what is there in every project, or with every object of another kind, and is as it was from the start. */
function isImplied({ definition, args }: ProgramObject): boolean {
  const { create } = definition.lifecycle;
  const isEverywhere = create.how === "claim" || (create.how === "send" && create.fills === true);
  return isEverywhere && Object.keys(args).every((name) => name === programIdArgument(definition));
}

function named(found: readonly Found[], isFree: NonNullable<Wanted["isFree"]>) {
  return [...Map.groupBy(found, ({ definition }) => definition)].flatMap(([definition, own]) => {
    const argument = programIdArgument(definition);
    const names = resourceNames(
      own.map(({ id, live }) => ({
        id,
        called: argument === undefined ? definition.name : String(live[argument] ?? id),
      })),
      (name, id) => isFree(definition, name, id),
    );
    return own.map((one, index) => ({ one, name: names[index] ?? one.id }));
  });
}

/** An object as a program says it, or the reason why none can. */
function express(
  { definition, id, live, unaddressed, lost }: Found,
  name: string,
  find: Finder<Found>,
  options: Pick<ArgumentOptions, "owners" | "dropsNulls">,
): ProgramObject | string {
  if (definition.ofConsole?.(live) === true) return "the console makes it by itself";
  const unfit = unaddressed ?? whyNotStorable(live);
  if (unfit !== undefined) return unfit;
  const said = argumentsOf(definition, live, name, {
    ...options,
    exists: (kind, value) => find(kind, "id", value) !== undefined,
    isOfConsole: (kind, value) => {
      const other = find(kind, "id", value);
      return other?.definition.ofConsole?.(other.live) === true;
    },
  });
  if ("leftOut" in said) return said.leftOut;
  const notExpressible = [...said.notExpressible, ...lost];
  return { definition, kind: definition.kind, id, name, live, ...said, notExpressible };
}
