// Compiled and never run: a behaviour that leaves out an operation without default, or names no route, is no program.

import type { Operation } from "../../src/emulator/console/behaviour";
import { defineBehaviour } from "../../src/emulator/console/default-operations";
import { catalog } from "../../src/provider/definitions/index";

const answer: Operation = () => ({ message: "Done." });
const { autotune, tag } = catalog;

/** Every route has a default. */
export const simple = defineBehaviour({ definition: tag });
export const own = defineBehaviour({ definition: tag, operations: { get: answer } });
export const rest = defineBehaviour({
  definition: autotune,
  operations: { start: answer, makeDecision: answer, reset: answer },
});

export const misspelt = defineBehaviour({
  definition: tag,
  // @ts-expect-error: no route "patsh"
  operations: { patsh: answer },
});

// @ts-expect-error: "start", "makeDecision" and "reset" have no default
export const none = defineBehaviour({ definition: autotune });

export const some = defineBehaviour({
  definition: autotune,
  // @ts-expect-error: "reset" has no default
  operations: { start: answer, makeDecision: answer },
});
