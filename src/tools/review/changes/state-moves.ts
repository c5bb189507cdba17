import { stateNames } from "../../../provider/decisions/plan";
import type { ResourceDefinition } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";
import type { UpdateStrategy } from "../../../provider/schema/verbs";
import { nameIn, textIn } from "../../../provider/words";
import { type ChangingObject, isFirst } from "../subjects";

/** Effect of an action on an object, by the name of its route. */
const actions: Readonly<Record<string, string>> = {
  abandon: "ends without a decision",
  archive: "goes to the archive",
  disable: "is switched off",
  enable: "is switched on",
  launch: "is launched: everyone gets it",
  makeDecision: "ends with a decision",
  reset: "goes back to its beginning",
  start: "starts",
};

/** Actions that take an object out of use. */
const endings: ReadonlySet<string> = new Set(["abandon", "archive", "disable", "makeDecision", "reset"]);

/** True for a move that takes an object out of use. */
export const isEnding = ({ action = "" }: StateMove): boolean => endings.has(action);

/** A change of state in words. */
export interface StateMove {
  /** Name of the route that makes it; undefined where the definition does not tell. */
  readonly action: string | undefined;
  /** Such as `ends with a decision: launched group "test"`. */
  readonly text: string;
  /** The same without what it means, such as `is switched off` for `is switched off: nobody passes`. */
  readonly says: string;
  /** The loss that it brings. */
  readonly loses?: string | undefined;
}

/** The move of an object from one state to another. `args`: its arguments in the program. */
export function stateMove(
  definition: ResourceDefinition,
  field: string,
  { from, to, args }: { readonly from: unknown; readonly to: unknown; readonly args: JsonObject },
): StateMove {
  for (const part of definition.lifecycle.update) {
    const { action, move, loses } = moveIn(definition, part, { field, from, to }) ?? {};
    if (action === undefined) continue;
    const said = Object.hasOwn(actions, action) ? (actions[action] as string) : action;
    const details = (move?.needs ?? []).flatMap((name) => {
      if (args[name] === undefined) return [];
      const isElement = definition.fields[name]?.traits.idOf !== undefined;
      return [isElement ? `${nameIn(args[name])} ships` : `reason ${nameIn(args[name])}`];
    });
    const whole = details.length === 0 ? said : `${said}: ${details.join(", ")}`;
    const text = action === "disable" ? offText(definition, field) : whole;
    return { action, text, says: details.length > 0 ? text : (said.split(":", 1)[0] as string), loses };
  }
  // An argument that says the same as the state in another form, such as `isEnabled`.
  if (typeof to === "boolean" && isState(definition, field)) {
    const action = to ? "enable" : "disable";
    const says = actions[action] as string;
    return { action, says, text: to ? says : offText(definition, field) };
  }
  const text = from === undefined ? textIn(to) : `${textIn(from)} → ${textIn(to)}`;
  return { action: undefined, text, says: text };
}

/** True for a field that says whether an object is in use: one that an action moves, or a switch. */
export function isState(definition: ResourceDefinition, field: string): boolean {
  return stateNames(definition).includes(field) || offMeaning(definition, field) !== undefined;
}

function moveIn(
  { lifecycle }: ResourceDefinition,
  part: UpdateStrategy,
  { field, from, to }: { readonly field: string; readonly from: unknown; readonly to: unknown },
) {
  if (part.how === "move" && part.field === field && part.when === undefined) {
    const action = part.to[String(to)];
    return { action: action !== undefined && lifecycle.archived?.undo === action ? "enable" : action };
  }
  if (part.how !== "machine" || part.field !== field) return undefined;
  const leading = part.moves.filter((move) => move.to === to);
  const move = leading.find((one) => one.from.includes(String(from))) ?? leading[0];
  if (move === undefined) return undefined;
  const loses = move.option === undefined ? undefined : part.options[move.option]?.loses;
  return { action: move.route, move, loses };
}

/** The effect of being off, as the reference describes it: `is switched off: nobody passes`. */
function offText(definition: ResourceDefinition, field: string): string {
  const names = [field, ...stateNames(definition)];
  const meaning = names.map((name) => offMeaning(definition, name)).find((text) => text !== undefined);
  return meaning === undefined ? (actions.disable as string) : `${actions.disable}: ${meaning}`;
}

function offMeaning({ fields }: ResourceDefinition, field: string): string | undefined {
  return /^Off: ([^.]+)\./.exec(fields[field]?.traits.doc ?? "")?.[1];
}

/** Effect of an argument that gives an object another secret; undefined for any other argument. */
export function rotationOf({ definition, program = {}, before }: ChangingObject, argument: string) {
  const part = definition.lifecycle.update.find(({ how }) => how === "rotate");
  if (part?.how !== "rotate" || part.field !== argument || isFirst(before)) return undefined;
  const { keep } = part;
  const keeps = program[keep.field] === keep.is;
  const text = keeps
    ? `it gets another value, and the old one stays active (${keep.field} ${keep.is})`
    : `it gets another value, and the old one stops working at once (${keep.field} ${keep.is} leaves it active)`;
  return { keeps, text };
}
