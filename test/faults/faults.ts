import type { Fault } from "../../src/emulator";
import type { Recipe } from "./recipes";

/** A fault without where and how often. */
export type FaultForm = Omit<Fault, "after" | "times">;

export interface FaultRow {
  readonly name: string;
  readonly form: FaultForm;
  /** What goes wrong right after it, once. */
  readonly next?: FaultForm;
  /** Milliseconds until a request is given up; short where the fault never ends. */
  readonly timeoutMs?: number;
  /** A second one right after would be nothing else. */
  readonly once?: true;
  /** Requests of this method are counted, where the fault meets no others. */
  readonly method?: string;
  /** What it leaves looks like what another stack has just made: a person may have to say that it is this stack's. */
  readonly undecidable?: true;
  /** A random answer in the place of the console's, instead of the form. */
  readonly wrong?: Recipe;
}

const page = { body: "<html><body><h1>Something went wrong</h1></body></html>", contentType: "text/html" };
const tooMany = { status: 429, body: { status: 429, message: "Too Many Requests" } };
const broken = { status: 500, body: { status: 500, message: "Internal Server Error" } };
const endless = { timeoutMs: 1500 };
const isWritten = { carriedOut: true } as const;

export const faultRows: readonly FaultRow[] = [
  { name: "429", form: tooMany },
  { name: "429, Retry-After 1 s", form: { ...tooMany, retryAfter: 1 }, once: true },
  { name: "500", form: broken },
  { name: "500, though carried out", form: { ...broken, ...isWritten } },
  { name: "502 web page", form: { status: 502, ...page } },
  { name: "502 web page, though carried out", form: { status: 502, ...page, ...isWritten } },
  { name: "503 web page", form: { status: 503, ...page } },
  { name: "503, Retry-After 1 s", form: { status: 503, ...page, retryAfter: 1 } },
  { name: "504 web page", form: { status: 504, ...page } },
  { name: "504 web page, though carried out", form: { status: 504, ...page, ...isWritten } },
  { name: "reset before", form: { reset: "before" } },
  { name: "reset after", form: { reset: "after" } },
  { name: "reset after, then a stale read", form: { reset: "after" }, next: { stale: true } },
  { name: "no answer, not carried out", form: { status: 200, stall: "answer" }, ...endless },
  { name: "no answer, though carried out", form: { stall: "answer" }, ...endless },
  { name: "half an answer, then nothing", form: { stall: "body" }, ...endless },
  { name: "slow bytes, in time", form: { byteEveryMs: 1 }, timeoutMs: 120_000, once: true },
  { name: "slow bytes, too slow", form: { byteEveryMs: 60 }, ...endless },
  { name: "cut JSON, right length", form: { truncate: "right" } },
  { name: "cut JSON, wrong length", form: { truncate: "wrong" } },
  { name: "wrong content type", form: { contentType: "text/html" }, once: true },
  { name: "200 web page, not carried out", form: { status: 200, ...page } },
  { name: "empty 200, though carried out", form: { status: 200, body: "", ...isWritten } },
  { name: "empty 200, not carried out", form: { status: 200, body: "" } },
  { name: "200 that tells of a 429", form: { status: 200, body: tooMany.body } },
  { name: "200 that tells of a 500", form: { status: 200, body: broken.body } },
  {
    name: "200 that tells of a 500, though carried out",
    form: { status: 200, body: broken.body, ...isWritten },
  },
  { name: "stale read", form: { stale: true }, method: "GET" },
  { name: "401 in the middle", form: { status: 401 }, once: true },
  { name: "delivered twice, first answer", form: { twice: "first" } },
  { name: "delivered twice, second answer", form: { twice: "second" }, undecidable: true },
];

/** True for a row that has to do with stale reads. */
export const isStale = ({ form, next }: FaultRow): boolean => form.stale === true || next?.stale === true;
