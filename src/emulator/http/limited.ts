import { type Context, createContext, Script } from "node:vm";

const script = new Script("work()");
let room: Context | undefined;

/**
 * Runs work that ends by itself, or is ended after so many milliseconds: a script of Node's `vm` can be interrupted, in the middle of
 * a regular expression too. @returns undefined where it was ended.
 */
export function within<T>(limitMs: number, work: () => T): { readonly value: T } | undefined {
  let result: { readonly value: T } | undefined;
  // A context of its own: what this code takes for the global object need not be that of the process, as in Jest.
  room ??= createContext({ work: undefined });
  room.work = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(room, { timeout: limitMs });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
  } finally {
    room.work = undefined;
  }
  return result;
}
