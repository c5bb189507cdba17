import type { Stored } from "../world/console";
import { keyOf } from "../world/edits";
import { type Declared, type Held, nameOf } from "../world/programs";
import { definitionOf, type Facts, holds } from "./ledger";
import type { PlayedStack } from "./stage";

/** What a user looks at who was refused. */
export interface Refused {
  readonly error: string;
  readonly stack: PlayedStack;
  readonly others: readonly Held[];
  readonly console: Iterable<Stored>;
  readonly facts: Facts;
}

export interface Reaction {
  readonly program: readonly Declared[];
  /** The next command is told that what is equal is this stack's. */
  readonly takesOver: boolean;
  readonly told: string;
}

/** Does what a refusal says, where that is true; undefined where it says nothing that can be done. */
export function followAdvice(refused: Refused): Reaction | undefined {
  return withAlias(refused) ?? withTakeOver(refused) ?? withAdopt(refused);
}

/** Resources that the refusal is about, and that state does not have. */
function meant({ error, stack: { program, state } }: Refused): Declared[] {
  return program.filter((one) => {
    const definition = definitionOf(one.kind);
    if (definition?.lifecycle.create.how !== "send" || !error.includes(definition.title)) return false;
    return error.includes(`"${keyOf(one)}"`) && !state.some((held) => nameOf(held) === nameOf(one));
  });
}

function withAlias(refused: Refused): Reaction | undefined {
  const { error, stack } = refused;
  const { program, state } = stack;
  const [, former] = /aliases: \[\{ name: "([^"]+)" \}\]/.exec(error) ?? [];
  const [renamed] = meant(refused);
  if (former === undefined || renamed === undefined) return undefined;
  const old = { kind: renamed.kind, name: former };
  const isFree = !program.some((one) => nameOf(one) === nameOf(old));
  if (!isFree || !state.some((held) => nameOf(held) === nameOf(old))) return undefined;
  const aliased = { ...renamed, aliases: [...renamed.aliases, former] };
  return {
    program: program.map((one) => (one === renamed ? aliased : one)),
    takesOver: false,
    told: `says that ${nameOf(renamed)} was ${former}, as it was told`,
  };
}

/** Only where it is true: what a run of this stack made, and nobody has touched since. */
function withTakeOver(refused: Refused): Reaction | undefined {
  const { error, stack, others, console, facts } = refused;
  if (!error.includes("FEATURE_CONSOLE_TAKE_OVER")) return undefined;
  const kinds = meant(refused).map(({ kind }) => kind);
  const isOwn = ({ key, kind, id }: Stored) => {
    const fact = facts.get(key);
    const isUntouched = fact?.maker === stack.name && fact.last === stack.name;
    return kinds.includes(kind) && error.includes(`"${id}"`) && isUntouched && !holds(others, key);
  };
  if (![...console].some(isOwn)) return undefined;
  return {
    program: stack.program,
    takesOver: true,
    told: "says FEATURE_CONSOLE_TAKE_OVER=1, as told",
  };
}

function withAdopt(refused: Refused): Reaction | undefined {
  const adopting = refused.error.includes("adopt: true") ? meant(refused) : [];
  if (adopting.length === 0) return undefined;
  return {
    program: refused.stack.program.map((one) =>
      adopting.includes(one) ? { ...one, args: { ...one.args, adopt: true } } : one,
    ),
    takesOver: false,
    told: "says adopt: true, as told",
  };
}

/** Words that tell a user what comes next. */
export function saysWhatToType(error: string): boolean {
  const words =
    /adopt|import|alias|TAKE_OVER|another|refresh|remove|again|force|allowReset|up" twice|in an up of its own|\bset\b/;
  return words.test(error) || /make the program/i.test(error);
}
