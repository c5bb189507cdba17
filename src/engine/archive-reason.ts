/** The reason that a destroy gives where the program gives none: by it the stack knows again what it archived. */
export function archiveReasonBy(stack: string): string {
  return `Archived by the Pulumi stack ${stack}.`;
}

/** The reason where a program says that an object is to be archived: it is not there for others to bring back. */
export function keptReasonBy(stack: string): string {
  return `Kept archived by the Pulumi stack ${stack}.`;
}
