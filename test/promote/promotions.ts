import { writeProgram } from "../../src/tools/rewrite/into-program";
import { Dice } from "../world/dice";
import { drawnFlags, type Member, memberWith, withOtherValues, writeFlags } from "./fleet";
import { type Asked, compared, planned, programOf } from "./promote-desk";

/** What came of the promotions of a fleet. */
export interface Played {
  readonly promotions: number;
  /** Promotions of which only one file was written at first. */
  readonly interrupted: number;
  /** Places that were refused, each listed. */
  readonly refused: number;
  /** What differs after all, and nobody had listed. */
  readonly faults: readonly string[];
}

/**
 * Three stacks over consoles with other ids: changes of dev go to staging, and from there, but for percentages and ids, to prod. Each
 * promotion is ended after a part of its files, and begun again. `rounds`: how many changes of dev travel to prod.
 */
export async function playFleet(
  { flags, rounds, seed }: Record<"flags" | "rounds" | "seed", number>,
  progress: (line: string) => void = () => {},
): Promise<Played> {
  const chance = new Dice(seed);
  let own = drawnFlags(chance, flags);
  const drawn = () => own.map((one) => withOtherValues(chance, one));
  const dev = await memberWith(own);
  const staging = await memberWith(drawn());
  const prod = await memberWith(drawn());
  const played: Awaited<ReturnType<typeof promotedTwice>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) {
      own = own.map((one) => (chance.below(10) === 0 ? withOtherValues(chance, one) : one));
      writeFlags(dev, own);
      await dev.api.up();
    }
    played.push(await promotedTwice(dev, staging, []));
    played.push(await promotedTwice(staging, prod, ["percentages", "ids"]));
    progress(`${round + 1} of ${rounds} rounds`);
  }
  for (const { api } of [dev, staging, prod]) await api.close();
  return {
    promotions: played.length,
    interrupted: played.filter((one) => one.isInterrupted).length,
    refused: played.reduce((sum, one) => sum + one.refused, 0),
    faults: played.flatMap((one) => one.faults),
  };
}

type Keep = NonNullable<Asked["keep"]>;

/** Writes one file of a promotion, as if it were killed then, runs it again, updates and compares. */
async function promotedTwice(from: Member, to: Member, keep: Keep) {
  const program = programOf(to.api);
  const before = await gatesOf(to, keep);
  const { acceptance } = await planned(from.api, to.api, { keep });
  const [first, ...others] = [...acceptance.changes];
  const written = first === undefined ? [] : [first];
  writeProgram(to.api.folder, program, { ...acceptance, changes: new Map(written) });
  const rest = await planned(from.api, to.api, { keep });
  writeProgram(to.api.folder, program, rest.acceptance);
  await to.api.up();
  const refused = rest.acceptance.outcomes.filter(({ how }) => how === "refused");
  const listed = new Set(refused.map(({ urn }) => urn.split("::").at(-1)));
  const kept = new Set(rest.promotions.flatMap((one) => (one.kept.length > 0 ? [one.resource.name] : [])));
  const differing = Object.entries(await compared(from.api, to.api));
  const faults = differing.filter(([name]) => !listed.has(name) && !kept.has(name));
  const after = await gatesOf(to, keep);
  const torn = [...before].filter(([id, values]) => listed.has(id) && after.get(id) !== values);
  return {
    isInterrupted: others.length > 0,
    refused: refused.length,
    faults: [
      ...faults.map(([name, how]) => `${name}: ${how}`),
      ...torn.map(
        ([id, values]) => `gate ${id}: ${values} before, ${after.get(id)} by a part of a promotion`,
      ),
      ...(await unlike(from, to, keep, listed)),
    ],
  };
}

/** What the raw API shows otherwise in the two consoles, of gates whose parts were all to go along. */
async function unlike(
  from: Member,
  to: Member,
  keep: Keep,
  listed: ReadonlySet<string | undefined>,
): Promise<string[]> {
  const [there, here] = [await gatesOf(from, keep), await gatesOf(to, keep)];
  const others = [...there].filter(([id, values]) => here.get(id) !== values && !listed.has(id));
  return others.map(([id, values]) => `gate ${id}: ${values} in one console, ${here.get(id)} in the other`);
}

/** The values of the gates of a console that a promotion brings, as the raw API shows them. */
async function gatesOf({ api, pipeline }: Member, keep: Keep): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const one of api.raw.gate.list()) {
    const { id, description, releasePipelineID, rules } = one as unknown as Gate;
    const share = keep.length > 0 || rules[0]?.passPercentage;
    found.set(id, JSON.stringify([description, releasePipelineID === pipeline, share]));
  }
  return found;
}

interface Gate {
  readonly id: string;
  readonly description: string;
  readonly releasePipelineID: string | null;
  readonly rules: readonly { readonly passPercentage: number }[];
}
