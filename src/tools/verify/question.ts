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
  /** The answer, by its name in `answers`. */
  ask(workshop: Workshop): Promise<string | Undecided>;
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
}

/** A question whose answer is given. An answer that no table knows is undecided. */
export function answered(question: Question, found: string | Undecided): Answered {
  const { id, asked, answers } = question;
  const decides = "switch" in question.decides ? question.decides.switch : `row ${question.decides.row}`;
  const [assumed] = Object.keys(answers);
  if (typeof found !== "string")
    return { id, asked, decides, as: "undecided", answer: found.undecided, follows: "" };
  const follows = answers[found];
  if (follows === undefined)
    return { id, asked, decides, as: "undecided", answer: `no known answer: ${found}`, follows: "" };
  return { id, asked, decides, as: found === assumed ? "assumed" : "otherwise", answer: found, follows };
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
