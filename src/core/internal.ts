/** The input by which a program tells how many resources it has declared. Only the wait notice reads it. */
export const declaredMember = "__declared";

/** True for a name that Pulumi or this package adds and no program writes. */
export function isInternal(name: string): boolean {
  return name.startsWith("__") && name !== "__proto__";
}
