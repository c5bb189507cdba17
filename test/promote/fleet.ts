import type { JsonObject } from "../../src/provider/schema/json";
import { Desk } from "../drift/desk";
import type { Dice } from "../world/dice";
import { programText } from "../world/programs";

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
export function drawnFlags(dice: Dice, count: number): Flag[] {
  return Array.from({ length: count }, (_, at) =>
    withOtherValues(dice, {
      ...{ name: `flag_${at}`, kind: kinds[at % kinds.length] as Flag["kind"] },
      ...{ description: "", share: 0, limit: 0, people: [], hasPipeline: false },
      ...{ isSetting: at % 8 === 0, isComputed: at % 25 === 24 },
    }),
  );
}

/** A flag with other values. */
export function withOtherValues(dice: Dice, flag: Flag): Flag {
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

/** A stack with these flags, applied. */
export async function memberWith(flags: readonly Flag[]): Promise<Member> {
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
export function writeFlags({ api, pipeline }: Member, flags: readonly Flag[]): void {
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
