import { countOf } from "../../provider/texts/count-text";
import { isNothing } from "../../provider/values/compare";
import { type Acceptance, intoProgram, type ProgramPorts } from "../rewrite/into-program";
import type { NewValue, Outcome, Wish } from "../rewrite/wish";
import { urnsOf } from "../rewrite/wish";
import { objectOf, resourcesNamed } from "../stack/resources";
import type { Stack } from "../stack/stack";
import { type Comparison, isChangedByBoth, isDrift, isOfProgram } from "./comparison";
import type { Findings } from "./drift";

/** The URNs of the resources that are called so. @throws UsageError */
export function namedUrns({ comparisons }: Findings, names: readonly string[]): ReadonlySet<string> {
  const all = comparisons.map(({ resource }) => resource);
  return new Set(names.flatMap((name) => resourcesNamed(all, name).map(({ urn }) => urn)));
}

/**
 * Values that are to go into the program. Without names: those that changed in the console, of arguments that the program leaves
 * alone meanwhile. `urns`: of these resources all in which console and program differ.
 */
function wishesOf(comparisons: readonly Comparison[], urns: ReadonlySet<string> | undefined): Wish[] {
  return comparisons.flatMap((comparison): Wish[] => {
    const { resource, values, differences, what, hasOther } = comparison;
    if (urns === undefined ? !isDrift(comparison) : !urns.has(resource.urn)) return [];
    if (what === "gone")
      return [{ resource, values: [], gone: hasOther ? "another object has its id" : "deleted" }];
    if (what !== "differs") return [];
    if (urns !== undefined) return [{ resource, values }];
    const changed = values.flatMap((value): NewValue[] => {
      const own = differences.filter(({ name }) => name === value.name);
      const isMixed = own.some((one) => isOfProgram(one) || isChangedByBoth(one));
      return own.some(({ standing }) => standing === "changed") ? [{ ...value, isMixed }] : [];
    });
    return [{ resource, values: changed }];
  });
}

/** Drafts a program that sets the values of the console. `urns`: of these resources alone. Writes nothing. */
export function acceptedInto(
  { comparisons, consoles }: Findings,
  program: ProgramPorts,
  urns: ReadonlySet<string> | undefined,
): Promise<Acceptance> {
  const resources = comparisons.map(({ resource }) => resource);
  return intoProgram({ consoles, resources }, program, wishesOf(comparisons, urns));
}

/**
 * Takes what was accepted into state, so that a preview has nothing to say of it: the live values by a refresh, and where the
 * program owns other arguments than before by an update, which finds nothing to send.
 */
export async function settle(
  stack: Stack,
  { comparisons }: Findings,
  outcomes: readonly Outcome[],
  progress: (line: string) => void,
): Promise<void> {
  const [refused, done] = [urnsOf(outcomes, "refused"), urnsOf(outcomes, "accepted")];
  const whole = comparisons.filter(({ resource: { urn } }) => done.has(urn) && !refused.has(urn));
  const agreeing = comparisons.filter(
    ({ resource: { urn }, what, differences }) =>
      !done.has(urn) && what === "differs" && differences.every(({ standing }) => standing === "settled"),
  );
  const all = [...whole, ...agreeing];
  const settled = all.filter(isTargeted);
  for (const { resource } of all.filter((one) => !isTargeted(one)))
    progress(
      `Not taken into state: ${objectOf(resource)}. A "*" in its name stands for others too: run pulumi refresh`,
    );
  const refreshed = settled.map(({ resource }) => resource.stateUrn);
  if (refreshed.length === 0) return;
  progress(`Refreshing ${countOf(refreshed.length, "resource")} (pulumi refresh) ...`);
  await stack.refresh(refreshed);
  const updated = settled
    .filter((one) => hasOtherArguments(one, outcomes))
    .map(({ resource }) => resource.urn);
  if (updated.length === 0) return;
  progress(
    `Recording new inputs of ${countOf(updated.length, "resource")} (pulumi up, with nothing to send) ...`,
  );
  await stack.up(updated);
}

/** Pulumi takes a "*" in a target for any text: other resources would be refreshed, and updated, as well. */
function isTargeted({ resource: { urn, stateUrn } }: Comparison): boolean {
  return !urn.includes("*") && !stateUrn.includes("*");
}

/**
 * True where the program, once it says what was accepted, has another set of arguments than the one that was applied, and no
 * change of its own that an update would send.
 */
function hasOtherArguments(
  { resource: { urn, applied, wanted }, values, differences }: Comparison,
  outcomes: readonly Outcome[],
): boolean {
  const accepted = outcomes.filter((one) => one.urn === urn && one.how === "accepted");
  const isPending = differences.some(
    (one) => isOfProgram(one) && !accepted.some(({ argument }) => argument === one.name),
  );
  const after = new Map(values.map(({ name, live }) => [name, live]));
  return (
    !isPending &&
    differences.some(({ name }) => {
      const said = after.has(name) ? after.get(name) : wanted?.[name];
      return isNothing(said) !== isNothing(applied?.inputs[name]);
    })
  );
}
