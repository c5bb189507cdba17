import { Script } from "node:vm";

const slot = Symbol.for("pulumi-feature-console.limited-work");
const holder = globalThis as unknown as Record<symbol, (() => void) | undefined>;
const script = new Script('globalThis[Symbol.for("pulumi-feature-console.limited-work")]()');

/**
 * Runs work that ends by itself, or is ended after so many milliseconds: a script of Node's `vm` can be interrupted, in the middle of
 * a regular expression too. @returns undefined where it was ended.
 */
export function within<T>(limitMs: number, work: () => T): { readonly value: T } | undefined {
  let result: { readonly value: T } | undefined;
  holder[slot] = () => {
    result = { value: work() };
  };
  try {
    script.runInThisContext({ timeout: limitMs });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
  } finally {
    holder[slot] = undefined;
  }
  return result;
}
