/** The input by which a program tells the name of a resource, which Pulumi does not tell a provider. */
export const nameMember = "__logicalName";

/** The input by which a program tells the URN of a resource; not kept. */
export const urnMember = "__urn";

/** The input that says whether a run is a preview, which Pulumi does not tell a provider; not kept. */
export const previewMember = "__preview";

/** The input by which the program of a preview tells which object state has for the resource; not kept. */
export const heldMember = "__held";

/** The input by which the program of an update tells the name of its stack, as the CLI takes it; not kept. */
export const stackNameMember = "__stackName";

/** The input by which the program of an update tells a resource's former URNs, if it has any; not kept. */
export const formerUrnsMember = "__formerUrns";

/** The input by which a program says `deleteBeforeReplace: false`, which Pulumi does not tell a provider; not kept. */
export const createsFirstMember = "__createsFirst";

/** The input by which a program tells how many resources it has declared. The wait notice and previews read it; not kept. */
export const declaredMember = "__declared";

/** The input that tells which kinds of resources a program passed where; not kept. */
export const kindsMember = "__kinds";

/** The input that tells where in the arguments secrets are, as paths; not kept. */
export const secretsMember = "__secrets";

/** The input that names settings which the stack's configuration misspells, or shows although they are secrets; not kept. */
export const misspeltMember = "__misspelt";

/** The id of the object that the `import` option names: an input of a create. */
export const adoptMember = "__adopt";

/** Member of inputs and outputs: a digest of the resource's URN. */
export const resourceMember = "__resource";

/** Member of inputs and outputs: a digest of the address of the console that the object is in. */
export const consoleMember = "__console";

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

/** True for a name that Pulumi or this package adds and no program writes. */
export function isInternal(name: string): boolean {
  return name.startsWith("__") && name !== "__proto__";
}
