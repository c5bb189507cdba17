import { Desk } from "../drift/desk";
import type { Dice } from "../world/dice";

/** One flag of one stack, as its program and its settings have it. */
export interface Flag {
  readonly name: string;
  readonly kind: "gate" | "dynamicConfig" | "segment";
  readonly description: string;
  readonly share: number;
  readonly limit: number;
  readonly people: readonly string[];
  readonly hasPipeline: boolean;
  /** The program reads the share of the stack's settings. */
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
  readonly desk: Desk;
  readonly pipeline: string;
}

/** A stack with these flags, applied. */
export async function memberWith(flags: readonly Flag[]): Promise<Member> {
  const desk = new Desk();
  await desk.apply(pipelineCode);
  const { resources } = await desk.stack.exported();
  const member = { desk, pipeline: String(resources[0]?.id) };
  writeFlags(member, flags);
  await desk.up();
  return member;
}

const pipelineCode = `new fc.ReleasePipeline("slow");\n`;

/** Writes the program and the settings of a stack. */
export function writeFlags({ desk, pipeline }: Member, flags: readonly Flag[]): void {
  const fed = flags.filter(({ isSetting }) => isSetting);
  desk.writeSettings(
    ["config:", "  desk:rollout:", ...fed.map(({ name, share }) => `    ${name}: ${share}`), ""].join("\n"),
  );
  desk.write(pipelineCode + flags.map((flag) => codeOf(flag, pipeline)).join("\n"));
}

function codeOf(flag: Flag, pipeline: string): string {
  const { name, kind, description, share, limit, people } = flag;
  const text = JSON.stringify(description);
  const said = flag.isComputed ? `[${text}].join("")` : text;
  const part = flag.isSetting ? `config["desk:rollout"].${name}` : share;
  const rule = `name: "Everyone", passPercentage: ${part}, conditions: [{ type: "public" }]`;
  const pipelines = flag.hasPipeline ? `\n  releasePipelineID: ${JSON.stringify(pipeline)},` : "";
  if (kind === "segment")
    return `new fc.Segment("${name}", { type: "id_list", ids: ${JSON.stringify(people)} });`;
  if (kind === "gate")
    return `new fc.Gate("${name}", {\n  description: ${said},${pipelines}\n  rules: [{ ${rule} }],\n});`;
  return `new fc.DynamicConfig("${name}", {\n  description: ${said},\n  defaultValue: { limit: ${limit} },\n  rules: [{ ${rule}, returnValue: { limit: ${limit} } }],\n});`;
}
