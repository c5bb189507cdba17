import type { Found } from "../import/reading";
import type { Reply, Workshop } from "./workshop";

/** A question that the console answers, with the answers that are known. */
export interface Question {
  /** Of a switch of the emulator: its name. */
  readonly id: string;
  /** Ends with a question mark. */
  readonly asked: string;
  /** Known answers, and the consequence of each for a program. The first is the assumption of this package. */
  readonly answers: Readonly<Record<string, string>>;
  /** What the answer decides: a switch of the emulator, or a row of docs/assumptions.md. */
  readonly decides: { readonly switch: string } | { readonly row: number };
  /** The answer, by its name in `answers`. `found`: the objects of the project. */
  ask(workshop: Workshop, found: readonly Found[]): Promise<Outcome>;
}

/** What became of a question. */
export type Outcome = string | Detailed | Undecided;

/** An answer, and where it was found: names of kinds or arguments, never content of an object. */
export interface Detailed {
  readonly answer: string;
  readonly detail: string;
}

/** No answer, and the reason. */
export interface Undecided {
  readonly undecided: string;
}

/** A question with its answer. */
export interface Answered {
  readonly id: string;
  readonly asked: string;
  readonly decides: string;
  readonly as: "assumed" | "otherwise" | "undecided";
  /** The name of the answer; where it is undecided, the reason. */
  readonly answer: string;
  /** What follows for a program; empty where it is undecided. */
  readonly follows: string;
  /** The kinds or arguments of which that is so. */
  readonly detail?: string;
}

/** A question whose answer is given. An answer that no table knows is undecided. */
export function answered(question: Question, found: Outcome): Answered {
  const { id, asked, answers } = question;
  const decides = "switch" in question.decides ? question.decides.switch : `row ${question.decides.row}`;
  const [assumed] = Object.keys(answers);
  const undecided = (answer: string): Answered => ({
    id,
    asked,
    decides,
    as: "undecided",
    answer,
    follows: "",
  });
  if (typeof found !== "string" && "undecided" in found) return undecided(found.undecided);
  const { answer, ...detail } = typeof found === "string" ? { answer: found } : found;
  const follows = answers[answer];
  if (follows === undefined) return undecided(`no known answer: ${answer}`);
  return { id, asked, decides, as: answer === assumed ? "assumed" : "otherwise", answer, follows, ...detail };
}

/** A refusal counts only where the console accepts the same request without the part in question, the control. */
export async function acceptedOr<Refused extends string>(
  refused: Refused,
  reply: Reply,
  control: () => Promise<Reply>,
): Promise<"accept" | Refused | Undecided> {
  if (!reply.isRefused) return "accept";
  const { isRefused } = await control();
  return isRefused
    ? { undecided: `the console refuses this request in any case (${reply.status})` }
    : refused;
}
