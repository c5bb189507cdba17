import type { Position } from "../stack/source-places";

/** What became of one argument that was to be taken over into the program. */
export type Outcome = Accepted | Refused;

interface Labels {
  /** `gate "checkout_v2"`. */
  readonly object: string;
  readonly urn: string;
  /** The argument, or the place in it. */
  readonly label: string;
  readonly place?: Position;
}

/** The program says it now. */
export interface Accepted extends Labels {
  readonly how: "accepted";
}

/** A person has to say it: nothing of it was written. */
export interface Refused extends Labels {
  readonly how: "refused";
  readonly why: string;
  /** What to type there, as TypeScript; undefined where nothing is to be typed. */
  readonly type?: string;
  /** What to do instead, such as to remove the argument. */
  readonly todo?: string;
}
