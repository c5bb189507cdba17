/** Parts of the URN of a resource: `urn:pulumi:STACK::PROJECT::TYPES::NAME`. */
export interface UrnParts {
  readonly stack: string;
  readonly project: string;
  /** Types of the resources around it, from the outside. */
  readonly parents: readonly string[];
  readonly type: string;
  readonly name: string;
  /** All but the name. */
  readonly place: string;
}

/** Takes a URN apart. A name may hold what divides the parts. */
export function urnParts(urn: string): UrnParts {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  const all = types.split("$");
  return {
    ...{ stack: head.replace(/^urn:pulumi:/, ""), project, name: name.join("::") },
    ...{ parents: all.slice(0, -1), type: all.at(-1) ?? "", place: [head, project, types].join("::") },
  };
}
