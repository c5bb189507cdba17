import { differingArguments, type Pair, pairsOf } from "../review";
import type { Acceptance } from "../rewrite/into-program";
import { type ProgramPorts, withIds } from "../rewrite/into-program";
import { intoProgramOrSettings } from "../rewrite/into-settings";
import { type ChangeableSettings, type SettingsFile, settingsBetween } from "../rewrite/settings-file";
import type { Wish } from "../rewrite/wish";
import { urnsOf } from "../rewrite/wish";
import { readStack, type StackPorts } from "../stack/live";
import type { Preview } from "../stack/preview";
import { objectOf, type Resource, resourceNamed } from "../stack/resources";
import { idsBetween } from "./ids-between";
import { type Kept, type Promotion, promotionOf, wholly } from "./promotion";

/** A stack, its name, and its configuration as it is written. */
export interface NamedStack extends StackPorts {
  readonly name: string;
  /** Undefined where it has no file. */
  readonly settings: SettingsFile | undefined;
}

/** Means of a promotion. */
export interface PromotePorts {
  readonly from: NamedStack;
  readonly to: NamedStack;
  /** The name of the project. */
  readonly project: string;
  /** Preview of the second stack's program with this text in the place of its file of settings. */
  readonly previewWith: (settings: string) => Promise<Preview>;
  readonly progress: (line: string) => void;
}

/** Objects to promote, and values to keep. */
export interface PromoteRequest {
  /** Names, ids or URNs; none: everything. */
  readonly names: readonly string[];
  readonly keep: readonly Kept[];
}

/** The second stack's program and settings after a promotion. */
export type PlannedPromotion = Awaited<ReturnType<typeof plannedPromotion>>;

type NamedReadStack = Awaited<ReturnType<typeof readNamed>>;

/**
 * Plans how the program of one stack comes to set what that of another one sets. Reads only, and writes nothing.
 * @throws UnclearName, and what the Pulumi CLI says where one of the programs does not run.
 */
export async function plannedPromotion(ports: PromotePorts, program: ProgramPorts, request: PromoteRequest) {
  const [from, to] = [await readNamed(ports.from), await readNamed(ports.to)];
  const pairs = pairsOf(from.resources.filter(isSaid), to.resources.filter(isSaid));
  const { asked, left } = askedOf(pairs, from, to, request.names);
  const ready = asked.filter(([one]) => isApplied(one));
  const pending = asked.filter((pair) => !ready.includes(pair));
  const promoted = idsBetween(pairs, from, to);
  const promotions = await Promise.all(
    ready.map(async (pair): Promise<Promotion> => {
      const promotion = promotionOf(pair, await promoted(pair), { ...request, name: to.name });
      return { ...promotion, values: await withIds(from.consoles, pair[0], promotion.values) };
    }),
  );
  const found = promotions.filter(
    ({ values, stays, kept }) => values.length + stays.length + kept.length > 0,
  );
  const settings = changeableSettings(ports);
  const { acceptance, torn } = await inWhole(found, (some) =>
    intoProgramOrSettings(to, program, some, settings && { ...ports, settings }),
  );
  const notApplied = pending.map(
    ([, one]) =>
      `${objectOf(one)}: ${from.name} has not applied its own program: run "pulumi up --stack ${from.name}" first`,
  );
  return {
    ...{ from: from.name, to: to.name, acceptance },
    promotions: found.map((one) => (torn.has(one.resource.urn) ? wholly(one) : one)),
    /** Objects that stay as they are, a sentence each. */
    left: [...left, ...notApplied],
    /** True where the second stack has not applied its own program to all of them. */
    isDue: asked.some(([, one]) => !isApplied(one)),
  };
}

async function readNamed({ name, ...ports }: NamedStack) {
  ports.progress(`Reading the state of ${name} and asking its program what it sets (pulumi preview) ...`);
  return { name, ...(await readStack(ports)) };
}

/** Plans those objects that can be written whole. `torn`: URNs of others of which a part could be. */
async function inWhole(
  wishes: readonly Wish[],
  plan: (wishes: readonly Wish[]) => Promise<Acceptance>,
): Promise<{ readonly acceptance: Acceptance; readonly torn: ReadonlySet<string> }> {
  const acceptance = await plan(wishes);
  const left = urnsOf(acceptance.outcomes, "refused");
  if (left.size === 0) return { acceptance, torn: left };
  const others = wishes.filter(({ resource: { urn } }) => !left.has(urn));
  const rest = await inWhole(others, plan);
  const refused = acceptance.outcomes.filter(({ how }) => how === "refused");
  return {
    acceptance: { ...rest.acceptance, outcomes: [...rest.acceptance.outcomes, ...refused] },
    torn: rest.torn.union(left.intersection(urnsOf(acceptance.outcomes, "accepted"))),
  };
}

/** True for what the program has. */
function isSaid({ wanted }: Resource): boolean {
  return wanted !== undefined;
}

/** True for an object that is as its program sets it: what nobody applied, nobody has tried. */
function isApplied({ definition, applied, wanted = {} }: Resource): boolean {
  return applied !== undefined && differingArguments(definition, applied.inputs, wanted).length === 0;
}

/** The pairs that are asked for, and the objects of one stack alone. */
function askedOf(pairs: readonly Pair[], from: NamedReadStack, to: NamedReadStack, names: readonly string[]) {
  const paired = new Set(pairs.flat());
  const alone = (one: Resource) => isSaid(one) && !paired.has(one);
  const [there, here] = [from.resources.filter(alone), to.resources.filter(alone)];
  const all = [...to.resources.filter(isSaid), ...there];
  const chosen = new Set(names.length === 0 ? all : names.map((name) => resourceNamed(all, name)));
  return {
    asked: pairs.filter(([, one]) => chosen.has(one)),
    left: [
      ...there
        .filter((one) => chosen.has(one))
        .map((one) => `${objectOf(one)} is only in ${from.name}: add it to the program of ${to.name}`),
      ...here.filter((one) => chosen.has(one)).map((one) => `${objectOf(one)} is only in ${to.name}`),
    ],
  };
}

function changeableSettings({ from, to, project }: PromotePorts): ChangeableSettings | undefined {
  if (from.settings === undefined || to.settings === undefined) return undefined;
  return settingsBetween(from.settings, to.settings, project);
}
