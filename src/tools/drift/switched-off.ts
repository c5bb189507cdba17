import { isArchived } from "../../provider/decisions/plan";
import { consoleOwns } from "../../provider/values/console-owned";
import { managedBefore, managedNames, viewOf } from "../../provider/values/managed";
import { exclusiveWith, stateNames } from "../../provider/values/states";
import type { Resource } from "../stack/resources";
import { type Comparison, type Difference, isIgnored } from "./three-ways";

/**
 * A comparison with what is off although the program does not set that. A refresh takes the console's value into state, and no update
 * restores what no argument sets: so the switch counts as changed until it is on again or the program sets it.
 */
export function withSwitchedOff(comparison: Comparison): Comparison {
  const { resource, live, differences, words, values } = comparison;
  const { wanted, applied, definition } = resource;
  if (live === undefined || wanted === undefined || applied === undefined) return comparison;
  if (isArchived(definition, live)) return comparison;
  const off = silentSwitches(resource).filter(
    (name) => viewOf(definition, live)[name] === false && !isTold(comparison, name),
  );
  if (off.length === 0) return comparison;
  const told = off.map((name) => switchedOff(resource, name));
  return {
    ...comparison,
    what: "differs",
    differences: [...differences, ...told],
    words: [...words, ...off.map(adviceText)],
    values: [
      ...values,
      ...off.map((name) => ({ name, wanted: undefined, live: false, isExplicit: true as const })),
    ],
  };
}

/** Switches that the program neither sets nor leaves to the console by a word of its own. */
function silentSwitches(resource: Resource): string[] {
  const { definition, wanted = {}, applied } = resource;
  const said = [...managedNames(definition, wanted), ...managedBefore(applied?.outputs ?? {})];
  return Object.keys(definition.fields).filter((name) => {
    if (definition.fields[name]?.traits.isSwitch !== true) return false;
    if (stateNames(definition).includes(name) && consoleOwns(wanted, "status")) return false;
    return ![name, ...exclusiveWith(definition, name)].some(
      (one) => said.includes(one) || isIgnored(resource, one, one),
    );
  });
}

/** True where the comparison shows already how the switch, or the state that it means, has changed. */
function isTold({ resource: { definition }, differences }: Comparison, name: string): boolean {
  const names = [name, ...exclusiveWith(definition, name)];
  return differences.some((one) => names.includes(one.name));
}

/** When state was written, it was on or off already; a switch that nobody has set is not applied. */
function switchedOff({ definition, applied }: Resource, name: string): Difference {
  const wasOn = viewOf(definition, applied?.outputs ?? {})[name] === true;
  return {
    ...{ name, path: [name], label: name, standing: "changed", secret: false },
    ...{ applied: wasOn ? true : undefined, live: false, wanted: undefined },
    ...(wasOn ? {} : { isSeen: true }),
  };
}

function adviceText(name: string): string {
  return `${name} is off, and the program does not set it: set it to false to keep it off, or to true and run "pulumi up"`;
}
