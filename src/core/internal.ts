/** The input by which a program tells how many resources it has declared. Only the wait notice reads it. */
export const declaredMember = "__declared";

/** The input by which a program tells its stack, where notes of creates are kept. */
export const stackMember = "__stack";

/**
 * Member of outputs that tells a resource from every other one that holds the same object, now or later: a resource that
 * was renamed without an alias is another one to Pulumi.
 */
export const selfMember = "__self";

/**
 * Member of outputs beside a set of ids that holds the table of its digest. Not of inputs: previews compare and print
 * those.
 */
export function tableMember(name: string): string {
  return `__${name}`;
}

/** True for a name that Pulumi or this package adds and no program writes. */
export function isInternal(name: string): boolean {
  return name.startsWith("__") && name !== "__proto__";
}
