import { isObject, objectFrom } from "./json";

/** The form of the file that `feature-console verify --out` writes. */
export const observationsFormat = 1;

/** Answers of a console to the questions of `verify`, by the question's id; without questions that stayed open. */
export type Answers = Readonly<Record<string, string>>;

/** Content of a file of `verify --out`. */
export interface Observations {
  /** Digest of the address of the console that answered. */
  readonly console: string | undefined;
  readonly answers: Answers;
}

/** The answers, by their question, that change what a run says or does. Any other answer changes nothing. */
export const answersInForce = {
  suddenRises: ["refuse"],
  templateWrites: ["refuse"],
  unknownEnvironments: ["refuse"],
  unknownReferences: ["refuse"],
  unknownTags: ["refuse", "ignore"],
  unknownTargetApps: ["refuse", "ignore"],
  unknownTeams: ["refuse"],
  unusualOperators: ["refuse"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A question of `verify` that a run asks the answers for. */
export type InForce = keyof typeof answersInForce;

/** The answers that count in a run, by their question; what is missing is as assumed, or not known. */
export type RunAnswers = { readonly [Question in InForce]?: (typeof answersInForce)[Question][number] };

/** Those of the answers of a console that count in a run. */
export function inForce(answers: Answers): RunAnswers {
  return Object.fromEntries(
    Object.entries(answersInForce)
      .filter(([question, counted]) =>
        (counted as readonly (string | undefined)[]).includes(answers[question]),
      )
      .map(([question]) => [question, answers[question]]),
  );
}

/** The content of a file of `verify --out`; undefined for any other text. */
export function observationsIn(text: string): Observations | undefined {
  const value = objectFrom(text);
  if (!isObject(value) || value.format !== observationsFormat || !Array.isArray(value.questions))
    return undefined;
  const answers = value.questions.flatMap((one: unknown) =>
    isObject(one) && one.as !== "undecided" && typeof one.id === "string" && typeof one.answer === "string"
      ? [[one.id, one.answer] as const]
      : [],
  );
  const console = typeof value.console === "string" ? value.console : undefined;
  return { console, answers: Object.fromEntries(answers) };
}
