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

/** Staging of a change that waits for a person's approval before it reaches users. */
export interface Staging<F extends string = string> {
  /** The field that names what stages changes; without a value nothing does. */
  readonly field: F;
  /** The kind that has one object for each staged change, and its list. */
  readonly kind: string;
  readonly list: string;
  /** Its member that names the object, and those by which one shows that it waits. */
  readonly by: string;
  readonly waiting: Readonly<Record<string, string>>;
  /** Its members that tell the stage, by name and by id. */
  readonly stage: { readonly name: string; readonly id: string };
  /** The action that approves, with its arguments for the staged change and the stage. */
  readonly approval: { readonly kind: string; readonly change: string; readonly stage: string };
}
