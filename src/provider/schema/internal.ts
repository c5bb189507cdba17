/** The input in which a program notes what Pulumi does not show a provider ({@link ProgramNote}); never kept. */
export const programMember = "__program";

/** The id of the object that the `import` option names: an input of a create. */
export const adoptMember = "__adopt";

/** Member of inputs and outputs: a digest of the resource's URN. */
export const resourceMember = "__resource";

/** Member of inputs and outputs: a digest of the address of the console that the object is in. */
export const consoleMember = "__console";

/** Member of outputs: the id of the console's project that the object is in, where the key may read it. */
export const projectMember = "__project";

/** Member of outputs: a digest of the URN of the explicit provider that the resource has; none with the stack's own settings. */
export const explicitMember = "__explicit";

/** Member of outputs: project and stack, which a destroy does not tell otherwise. */
export const stackMember = "__stack";

/**
 * Member of outputs that tells a resource from every other one that holds the same object, now or later: a resource that
 * was renamed without an alias is another one to Pulumi.
 */
export const selfMember = "__self";

/** Member of a state that lists what the program set last time. It also tells a state from the arguments of a get. */
export const managedMember = "__managed";

/** Member of outputs: the number of the form in which a state is written. */
export const formatMember = "__format";

/** Member of outputs: the version, or time of change, of the object that was last seen, where concurrent edits are refused. */
export const seenMember = "__seen";

/** Member of outputs: the reviews that this stack has opened for changes of the object, and that are not settled. */
export const reviewsMember = "__reviews";

/** True for a name that Pulumi or this package adds and no program writes. */
export function isInternal(name: string): boolean {
  return name.startsWith("__") && name !== "__proto__";
}
