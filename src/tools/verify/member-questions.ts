import { differences } from "../../provider/decisions/plan";
import { managedKind } from "../../provider/definitions";
import { auditNames } from "../../provider/schema/audit";
import { inputNames } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import type { Path } from "../../provider/schema/path";
import { fromWire, toWire } from "../../provider/schema/wire-names";
import { pluralOf } from "../../provider/texts/count-text";
import { sameMeaning } from "../../provider/values/compare";
import type { MadeKind, ProbeSession } from "./probe-session";
import { off, rule } from "./probes";
import type { Detailed, Question } from "./question";

/** An object to ask a kind with, under the names of programs. */
interface Sample {
  readonly kind: MadeKind;
  /** Arguments of a new object, beside its name. */
  args(tag: string): JsonObject;
  /** Arguments that a partial update changes. */
  readonly change: JsonObject;
}

const groups = [
  { name: "Control", size: 50, parameterValues: { colour: "blue" } },
  { name: "Test", size: 50, parameterValues: { colour: "green" } },
];

const samples: readonly Sample[] = [
  {
    kind: "gate",
    args: (tag) =>
      off({
        ...{ type: "PERMANENT", idType: "userID", tags: [tag], measureMetricLifts: false },
        rules: [rule({ environments: ["production"] }), rule({ name: "Second" })],
      }),
    change: { description: "Changed.", type: "TEMPORARY", measureMetricLifts: true, rules: [rule()] },
  },
  {
    kind: "dynamicConfig",
    args: (tag) =>
      off({
        ...{ idType: "userID", tags: [tag] },
        defaultValue: { text: "", none: null, list: [1, "two", { three: 3.5 }], deep: { deeper: {} } },
        rules: [rule({ returnValue: { text: "hello", none: null } })],
      }),
    // The provider sends isEnabled with each change of a config.
    change: { isEnabled: false, description: "Changed.", defaultValue: { list: [] } },
  },
  {
    kind: "experiment",
    args: (tag) => ({
      ...{ description: "Made by feature-console verify.", hypothesis: "None.", idType: "userID" },
      ...{ tags: [tag], allocation: 1, groups },
    }),
    change: { description: "Changed.", hypothesis: "Changed.", allocation: 2 },
  },
  {
    kind: "layer",
    args: () => ({ description: "Made by feature-console verify.", idType: "userID" }),
    change: {
      description: "Changed.",
      parameters: [{ name: "sizes", type: "array", defaultValue: [1, "two", null] }],
    },
  },
];

/** Makes an object of a kind. @returns its id and what was sent. */
async function madeOf(session: ProbeSession, { kind, args }: Sample) {
  const tag = await session.made("tag", { description: "Made by feature-console verify." });
  const sent = args(String(tag.name ?? tag.id));
  const { id } = await session.made(kind, toWire(managedKind(kind), sent));
  return { id, sent };
}

/** The arguments at the start of paths such as `rules[0].name`. */
const argumentsIn = (places: readonly { readonly path: Path }[]): string =>
  [...new Set(places.map(({ path }) => String(path[0])))].sort().join(", ");

const answerOf = (names: string, good: string, bad: string): string | Detailed =>
  names === "" ? good : { answer: bad, detail: names };

async function readMembers(session: ProbeSession, sample: Sample): Promise<string | Detailed> {
  const definition = managedKind(sample.kind);
  const { id, sent } = await madeOf(session, sample);
  const live = fromWire(definition, await session.read(sample.kind, id));
  return answerOf(argumentsIn(differences(definition, live, sent)), "same", "otherwise");
}

async function patchedMembers(session: ProbeSession, sample: Sample): Promise<string | Detailed> {
  const { kind, change } = sample;
  const definition = managedKind(kind);
  const { id } = await madeOf(session, sample);
  const before = fromWire(definition, await session.read(kind, id));
  await session.must(kind, "patch", id, toWire(definition, change));
  const after = fromWire(definition, await session.read(kind, id));
  const ignored = argumentsIn(differences(definition, after, change));
  if (ignored !== "") return { answer: "ignored", detail: ignored };
  const audits = Object.values(auditNames(definition));
  const others = inputNames(definition).filter(
    (name) =>
      !(name in change) && !audits.includes(name) && definition.fields[name]?.traits.aliasOf === undefined,
  );
  const changed = others.filter((name) => !sameMeaning(definition, name, before[name], after[name]));
  return answerOf(changed.join(", "), "named", "others");
}

/** For each kind: whether reads show what was sent, and whether partial updates change what they name. */
export const memberQuestions: readonly Question[] = samples.flatMap((sample): Question[] => {
  const { title } = managedKind(sample.kind);
  return [
    {
      id: `${sample.kind}Members`,
      asked: `Does a read of a new ${title} show what was sent?`,
      answers: {
        same: "A second pulumi up finds nothing to do.",
        otherwise: "Report it: these arguments show as changes after each pulumi up.",
      },
      row: 52,
      ask: (session) => readMembers(session, sample),
    },
    {
      id: `${sample.kind}Patches`,
      asked: `Does PATCH of ${pluralOf(title)} change what the body names, and nothing else?`,
      answers: {
        named: "An update changes what its preview shows.",
        ignored: "Report it: pulumi up fails where it changes these arguments.",
        others: "Report it: an update also changes arguments that its preview does not show.",
      },
      row: 53,
      ask: (session) => patchedMembers(session, sample),
    },
  ];
});
