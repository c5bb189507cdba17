import { stackMark, stackOfMark } from "../../decisions/stack-mark";

/** The reason that a destroy gives if the program gives none: by it any machine recognises what the stack archived. */
export function archiveReasonBy(stack: string): string {
  return `Archived by the Pulumi stack ${stackText(stack)}.`;
}

/** The reason where a program keeps an object archived: it is not there for others to bring back. */
export function keptReasonBy(stack: string): string {
  return `Kept archived by the Pulumi stack ${stackText(stack)}.`;
}

function stackText(mark: string): string {
  const { name, backend } = stackOfMark(mark);
  return backend === undefined ? name : `${name} (backend ${backend})`;
}

/** Stack that archived an object, as the reason names it. */
export interface Archiver {
  /** The mark of the stack. */
  readonly stack: string;
  /** Its program keeps the object archived. */
  readonly keeps: boolean;
}

const reason = /^(Archived|Kept archived) by the Pulumi stack (\S+?)(?: \(backend ([\w-]+)\))?\.$/;

/** The stack that an archive reason names; undefined for the reason of a person or a program. */
export function archiverIn(text: string): Archiver | undefined {
  const [, verb, name, backend] = reason.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { stack: stackMark({ name, backend }), keeps: verb !== "Archived" };
}
