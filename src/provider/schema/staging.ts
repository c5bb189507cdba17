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
