/** A stack, told from every other one as far as that is known. */
export interface StackIdentity {
  /** Project and stack, such as `flags/dev`. */
  readonly name: string;
  /** Digest of the backend that keeps the state; undefined where nothing shows which one that is. */
  readonly backend: string | undefined;
}

/**
 * A stack as states, journals and archive reasons name it: `flags/dev@rT5w0aZk3_cQ`, or `flags/dev` where the backend is not
 * known. Neither projects nor stacks have an `@` in their names.
 */
export function stackMark({ name, backend }: StackIdentity): string {
  return backend === undefined ? name : `${name}@${backend}`;
}

/** The stack that a mark names. */
export function stackOfMark(mark: string): StackIdentity {
  const at = mark.lastIndexOf("@");
  return at < 0
    ? { name: mark, backend: undefined }
    : { name: mark.slice(0, at), backend: mark.slice(at + 1) };
}

/** True where two marks may name one stack: marks written before version 0.2 name no backend. */
export function mayBeSameStack(one: string, other: string): boolean {
  const [first, second] = [stackOfMark(one), stackOfMark(other)];
  if (first.name !== second.name) return false;
  return first.backend === undefined || second.backend === undefined || first.backend === second.backend;
}
