import type { Found } from "../import/reading";
import { type ProbeSession, type Reply, Undecided } from "./probe-session";

/** A probe of the console: finds the answer, by its name. `found`: the objects of the project. @throws Undecided where it can't. */
export type Probe = (session: ProbeSession, found: readonly Found[]) => Promise<string | Detailed>;

/** An answer, and where it was found: names of kinds or arguments, never content of an object. */
export interface Detailed {
  readonly answer: string;
  readonly detail: string;
}

/** A question that the console answers, with the answers that are known. */
export interface Question {
  /** Of a switch of the emulator: its name. */
  readonly id: string;
  /** Ends with a question mark. */
  readonly asked: string;
  /** Known answers, and the consequence of each for a program. The first is the assumption of this package. */
  readonly answers: Readonly<Record<string, string>>;
  /** The row of docs/assumptions.md that the answer decides; none where it is a switch of the emulator. */
  readonly row?: number;
  readonly ask: Probe;
}

/** Questions by their ids. */
export function questionsOf(table: Readonly<Record<string, Omit<Question, "id">>>): Question[] {
  return Object.entries(table).map(([id, one]) => ({ id, ...one }));
}

/** A question with its answer. */
export interface Answered {
  readonly id: string;
  readonly asked: string;
  /** The row of docs/assumptions.md, or the switch of the emulator. */
  readonly decides: string;
  readonly as: "assumed" | "otherwise" | "undecided";
  /** The name of the answer; where it is undecided, the reason. */
  readonly answer: string;
  /** The consequence for a program; empty where it is undecided. */
  readonly follows: string;
  /** The kinds or arguments of which that is so. */
  readonly detail?: string;
}

/** A question whose answer is given. An answer that no table knows is undecided. */
export function answered(question: Question, found: string | Detailed): Answered {
  const { answer, ...detail } = typeof found === "string" ? { answer: found } : found;
  const follows = question.answers[answer];
  if (follows === undefined) return undecided(question, `no known answer: ${answer}`);
  const [assumed] = Object.keys(question.answers);
  const as = answer === assumed ? "assumed" : "otherwise";
  return { ...undecided(question, answer), as, follows, ...detail };
}

/** A question that stays open, for this reason. */
export function undecided({ id, asked, row }: Question, reason: string): Answered {
  const decides = row === undefined ? id : `row ${row}`;
  return { id, asked, decides, as: "undecided", answer: reason, follows: "" };
}

/** The answer of a reply. A refusal counts only where the console accepts the same request without the part in question, the control. */
export async function acceptedOr<Refused extends string>(
  refused: Refused,
  reply: Reply,
  control: () => Promise<Reply>,
): Promise<"accept" | Refused> {
  if (!reply.isRefused) return "accept";
  if ((await control()).isRefused)
    throw new Undecided(`the console refuses this request in any case (${reply.status})`);
  return refused;
}
