import type { JsonObject } from "../../src/provider/schema/json";
import { writeProgram } from "../../src/tools/rewrite/into-program";
import { Desk } from "../drift/desk";
import { Dice } from "../world/dice";
import { programText } from "../world/programs";
import { type Asked, compared, planned } from "./promote-desk";

/**
 * Three stacks over consoles with other ids: changes of dev go to staging, and from there, but for percentages and ids, to prod. Each
 * promotion is ended after a part of its files, and begun again. `rounds`: how many changes of dev travel to prod.
 */
export async function playFleet(
  { flags, rounds, seed }: Record<"flags" | "rounds" | "seed", number>,
  progress: (line: string) => void = () => {},
) {
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
    /** Promotions of which only one file was written at first. */
    interrupted: played.filter((one) => one.isInterrupted).length,
    refused: played.reduce((sum, one) => sum + one.refused, 0),
    /** What differs after all, and nobody had listed. */
    faults: played.flatMap((one) => one.faults),
  };
}

type Keep = NonNullable<Asked["keep"]>;

/** Writes one file of a promotion, as if it were killed then, runs it again, updates and compares. */
async function promotedTwice(from: Member, to: Member, keep: Keep) {
  const program = to.api.programPorts;
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
      ...torn.map(([id, values]) => `gate ${id}: ${values} before, ${after.get(id)} by part of a promotion`),
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

/** One flag of one stack, as its program and its settings have it. */
export interface Flag {
  readonly name: string;
  readonly kind: "gate" | "dynamicConfig" | "segment";
  readonly description: string;
  readonly share: number;
  readonly limit: number;
  readonly people: readonly string[];
  readonly hasPipeline: boolean;
  /** The program reads the share and a list of the stack's settings. */
  readonly isSetting: boolean;
  /** The program computes the description, which no command can write. */
  readonly isComputed: boolean;
}

const kinds = ["gate", "dynamicConfig", "segment", "gate"] as const;
const shares = [0, 10, 25, 50, 100];

/** The same flags for every stack of a fleet, whose values differ. */
function drawnFlags(dice: Dice, count: number): Flag[] {
  return Array.from({ length: count }, (_, at) =>
    withOtherValues(dice, {
      ...{ name: `flag_${at}`, kind: kinds[at % kinds.length] as Flag["kind"] },
      ...{ description: "", share: 0, limit: 0, people: [], hasPipeline: false },
      ...{ isSetting: at % 8 === 0, isComputed: at % 25 === 24 },
    }),
  );
}

function withOtherValues(dice: Dice, flag: Flag): Flag {
  return {
    ...flag,
    ...{ description: `Text ${dice.below(9)}`, share: dice.one(shares), limit: dice.below(50) },
    people: ["ada", "ben", "eve"].filter(() => dice.below(2) === 0),
    hasPipeline: dice.below(2) === 0,
  };
}

/** A stack of a fleet: its desk, and the id that its own console gave the release pipeline. */
export interface Member {
  readonly api: Desk;
  readonly pipeline: string;
}

async function memberWith(flags: readonly Flag[]): Promise<Member> {
  const api = new Desk();
  await api.apply(pipelineCode);
  const { resources } = await api.stack.exported();
  const member = { api, pipeline: String(resources[0]?.id) };
  writeFlags(member, flags);
  await api.up();
  return member;
}

const pipelineCode = `new fc.ReleasePipeline("slow");\n`;

/** Writes the program and the settings of a stack. */
function writeFlags({ api, pipeline }: Member, flags: readonly Flag[]): void {
  const fed = flags.filter(({ isSetting }) => isSetting);
  const shares = fed.map(({ name, share }) => `    ${name}: ${share}`);
  const lists = fed.map(({ name, people }) => `    ${name}: [${[...people, "zoe"].join(", ")}]`);
  api.writeSettings(["config:", "  desk:rollout:", ...shares, "  desk:people:", ...lists, ""].join("\n"));
  api.write(pipelineCode + programText(flags.map((flag) => ({ ...flag, args: argsOf(flag, pipeline) }))));
}

function argsOf(flag: Flag, pipeline: string): JsonObject {
  const { name, kind, share, limit } = flag;
  if (kind === "segment") return { type: "id_list", ids: flag.people };
  const description = flag.isComputed
    ? { $code: `[${JSON.stringify(flag.description)}].join("")` }
    : flag.description;
  const passPercentage = flag.isSetting ? { $code: `config["desk:rollout"].${name}` } : share;
  const targetValue = { $code: `config["desk:people"].${name}` };
  const some = { type: "user_id", operator: "any", targetValue };
  const rule = { name: "Some", passPercentage, conditions: [flag.isSetting ? some : { type: "public" }] };
  if (kind === "gate")
    return { description, ...(flag.hasPipeline ? { releasePipelineID: pipeline } : {}), rules: [rule] };
  return { description, defaultValue: { limit }, rules: [{ ...rule, returnValue: { limit } }] };
}
