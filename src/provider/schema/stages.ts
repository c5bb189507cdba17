/** Position of an object on its way, reported when the console refuses an action on it. The read of `done` shows it. */
export interface Stages<F extends string = string, R extends string = string> {
  /** As in a sentence, plural: "phases". */
  readonly title: string;
  /** Its members that say how it is, and the id and name of the stage that it is in. */
  readonly status: string;
  readonly current: { readonly id: string; readonly name: string };
  /** All stages, with `id` and `name`: a list in the answer of this route, whose path is filled by members of the read. */
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
  readonly list: string;
  /** The argument that has to be the id of the current one. */
  readonly argument?: F;
}
