import { equalJson, isObject, type JsonObject } from "../../src/provider/schema/json";
import { type Answer, shownAs, valueIn } from "./answers";
import { type Item, ruleIn, rulesOf, type SentenceOf, type Verdict, verdictBy } from "./ground";
import { fateOf } from "./object-sentences";
import type { Played } from "./play";

/** What an answer of `explain` or `drift` is held against. */
interface AnswerGround {
  readonly played: Played;
  readonly answer: Answer;
  /** The value in the program, in the inputs and the outputs of state, and in the console before and after. */
  readonly values: Readonly<Record<"program" | "lastProgram" | "state" | "console" | "after", unknown>>;
}

interface Judged {
  readonly object: string;
  readonly sentence: string;
  readonly because: Verdict;
}

/** What the next `up` is said to do at a place. */
const nextSentences: readonly SentenceOf<AnswerGround>[] = [
  [
    /^sends nothing here: program and console agree/,
    (_, { values, played, answer }) =>
      unlessSame(values) ??
      (isLaunched(played, answer) ? undefined : unlessEqual(values.program, values.console, "the program")),
  ],
  [
    /^(?:sends nothing here|sends the object's other changes and keeps)/,
    (_, { values }) => unlessSame(values),
  ],
  [
    /^does not look: /,
    (_, { values, played: { told, drawn } }) =>
      told.length === 0 && !drawn.oldState ? "nobody changed it" : unlessSame(values),
  ],
  [/^is refused/, (_, { played }) => (played.update.run.error === undefined ? "it was not" : undefined)],
  [
    /^brings the object back/,
    (_, { played, answer }) =>
      fate(played, answer) === "back" ? undefined : `it is ${fate(played, answer)}`,
  ],
  [
    /^(?:clears|removes) it/,
    (_, { values: { after } }) =>
      [undefined, null, "", 0].includes(after as string) || isEmpty(after)
        ? undefined
        : `it is ${text(after)}`,
  ],
  [/^sends the program's value/, (_, { values }) => unlessEqual(values.program, values.after, "after it")],
  [/^takes it into state, and sends nothing/, () => undefined],
  [/^(?:replaces the object|follows the argument)/, () => undefined],
  [
    /^sends the program's changes here and keeps/,
    (_, { values: { console: live, program, after } }) =>
      [live, program].some((one) => equalJson(one, after)) ? `it is ${text(after)}` : undefined,
  ],
];

/** Answers of `explain` and `drift`, each with the reason why it is not so. */
export function judgedAnswers(played: Played): Judged[] {
  const { answers } = played;
  if (answers === undefined) return [];
  const { explained, strange, drift } = answers;
  return [
    ...explained.flatMap((answer) => judgedExplanation(groundOf(played, answer))),
    ...strange.map(({ object, label, said, isThere }) => ({
      object,
      sentence: `(explain ${label})`,
      because:
        /"what":"gone"/.test(said) || (!isThere && /\bno (?:such )?(?:rule|element|place)/.test(said))
          ? undefined
          : said.slice(0, 200),
    })),
    ...drift.flatMap((answer) => judgedDifference(groundOf(played, answer))),
    ...silentSwitches(played),
  ];
}

/** A launched gate counts as on, whatever its switch shows: in the console, and in state. */
function isLaunched({ before, state }: Played, { object, label }: Answer): boolean {
  const held = state.find(({ kind, id }) => `${kind} ${id}` === object);
  const shown = [before.objects.get(object)?.status, held?.outputs.status];
  return label === "isEnabled" && shown.includes("Launched");
}

function groundOf(played: Played, answer: Answer): AnswerGround {
  const { drawn, before, after, state } = played;
  const [kind = "", ...id] = answer.object.split(" ");
  const held = state.find((one) => one.kind === kind && one.id === id.join(" "));
  const program = drawn.program.find((one) => one.kind === kind && one.name === held?.name);
  const path = byNames(program?.args, answer);
  const at = (values: JsonObject | undefined) => valueIn(values, path);
  const [was, is] = [before, after].map(({ objects }) => objects.get(answer.object)) as [Item, Item];
  return {
    ...{ played, answer },
    values: {
      ...{ program: at(program?.args), lastProgram: at(held?.inputs), state: at(held?.outputs) },
      ...{ console: at(was) ?? valueIn(was, formerly(path, { was, is })), after: at(is) },
    },
  };
}

/** The place of an element by its name, which holds in every list. */
function byNames(args: JsonObject | undefined, { path }: Answer): Answer["path"] {
  const [first, second, ...rest] = path;
  if (typeof second !== "number") return path;
  const element = valueIn(args, [first ?? "", second]);
  return [first ?? "", isObject(element) ? String(element.name) : second, ...rest];
}

/** The same place of a rule that has its name again after the update, under the name that a person gave it. */
function formerly(
  path: Answer["path"],
  { was, is }: { readonly was: Item; readonly is: Item },
): Answer["path"] {
  const [first = "", name, ...rest] = path;
  const others = rulesOf(was).filter((rule) => ruleIn(is, rule.name) === undefined);
  if (ruleIn(is, name) === undefined || others.length !== 1) return path;
  return [first, String(others[0]?.name), ...rest];
}

const isPlain = (value: unknown) => value === null || ["string", "number", "boolean"].includes(typeof value);
const text = (value: unknown) => JSON.stringify(value);
const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Long values and those that have several forms are left out. */
function unlessEqual(one: unknown, other: unknown, whose: string): Verdict {
  if (!isPlain(one) || !isPlain(other) || String(one) === String(other)) return undefined;
  // What arithmetic leaves behind is shown rounded.
  if (typeof one === "number" && typeof other === "number" && Math.abs(one - other) < 1e-9) return undefined;
  return `${whose} has ${text(other)}, not ${text(one)}`;
}

function unlessSame({ console, after }: AnswerGround["values"]): Verdict {
  return equalJson(console, after) ? undefined : `it goes from ${text(console)} to ${text(after)}`;
}

function fate({ before, after }: Played, { object }: Answer): string {
  return fateOf({ before: before.objects.get(object), after: after.objects.get(object) });
}

function judgedExplanation(ground: AnswerGround): Judged[] {
  const { answer, values, played } = ground;
  const { object, label, said } = answer;
  const sources = ["program", "lastProgram", "state", "console"] as const;
  const next = String(said.next);
  // How far an update that failed has come, nobody says; and of --replace, nobody tells this command.
  const isOpen =
    (played.update.run.error !== undefined && !next.startsWith("is refused")) ||
    played.drawn.replace !== undefined;
  return [
    ...sources
      .filter((source) => isPlain(said[source]) && !isLaunched(played, answer))
      .map((source) => ({
        object,
        sentence: `(explain ${label}: ${source})`,
        because: unlessEqual(said[source], values[source] ?? said[source], source),
      })),
    {
      object,
      sentence: `explain ${label}: ${next}`,
      because: isOpen ? undefined : verdictBy(nextSentences, next, ground, "no check is for such a sentence"),
    },
  ];
}

function judgedDifference({ answer, values, played }: AnswerGround): Judged[] {
  const { object, label, said, author } = answer;
  if (isLaunched(played, answer)) return [];
  const sources = { applied: "lastProgram", console: "console", program: "program" } as const;
  const shown = Object.entries(sources).map(([member, source]) => ({
    object,
    sentence: `(drift ${label}: ${member})`,
    because: unlessEqual(said[member], values[source] ?? said[member], source),
  }));
  if (!("changedBy" in said) || author === undefined) return shown;
  const isSo = said.changedBy === shownAs(author);
  return [
    ...shown,
    {
      object,
      sentence: `drift ${label}: ${String(said.changedBy ?? "a key")}`,
      because: isSo ? undefined : `it was ${author}`,
    },
  ];
}

/** A switch that somebody turned off and of which `explain` shows nothing. */
function silentSwitches({ answers, state, before, drawn }: Played) {
  return state.flatMap(({ kind, id, name, outputs }) => {
    const object = `${kind} ${id}`;
    const live = before.objects.get(object);
    const isTold = answers?.explained.some(
      (one) =>
        one.object === object && /^(?:isEnabled|status)$/.test(one.label) && one.said.console !== undefined,
    );
    const isOff = outputs.isEnabled === true && live?.isEnabled === false;
    const isHere = drawn.program.some((one) => one.kind === kind && one.name === name);
    if (!isOff || !isHere) return [];
    return [{ object, sentence: "(explain of a switch)", because: isTold ? undefined : "it is silent" }];
  });
}
