import { equalJson, isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Path } from "../../src/provider/schema/path";
import { ann, type SharedConsole } from "../world/console";
import type { Declared } from "../world/programs";
import type { Stack } from "../world/stage";
import type { Case } from "./draw";
import type { Command, World } from "./world";

/** One place of an object as `explain` or `drift` shows it, and the one who gave the console its value. */
export interface Answer {
  readonly object: string;
  readonly label: string;
  readonly path: Path;
  readonly said: JsonObject;
  /** Of the change that gave the console this value; undefined where nobody changed it after the stack did. */
  readonly author: string | undefined;
}

/** What `explain` and `drift` answer about all objects of a case. */
export interface Answers {
  readonly explained: readonly Answer[];
  /** Places that there are not, and places that were not found. */
  readonly strange: readonly Strange[];
  readonly drift: readonly Answer[];
}

interface Strange {
  readonly object: string;
  readonly label: string;
  readonly said: string;
  readonly isThere: boolean;
}

interface Situation {
  readonly stack: Stack;
  readonly preview: Command;
  readonly drawn: Case;
  readonly log: EditLog;
}

export class EditLog {
  readonly #entries = new Map<string, { readonly actor: string; readonly item: JsonObject }[]>();

  constructor(console: SharedConsole) {
    for (const [key, { item }] of console.snapshot()) this.#entries.set(key, [{ actor: "", item }]);
    console.onWrite = ({ actor, touched }) => {
      for (const key of touched) {
        const entries = this.#entries.get(key) ?? [];
        entries.push({ actor, item: console.find(key)?.item ?? {} });
        this.#entries.set(key, entries);
      }
    };
  }

  /** Whoever gave a place its value. What a person added is that person's, also where a key has changed a part of it since. */
  authorOf(key: string, path: Path): string | undefined {
    const entries = this.#entries.get(key) ?? [];
    const values = entries.map(({ item }) => valueIn(item, path));
    const at = values.findLastIndex((value) => !equalJson(value, values.at(-1)));
    const last = at < 0 ? undefined : entries[at + 1]?.actor;
    const isAdded = values[0] === undefined && values.at(-1) !== undefined;
    const adder = isAdded ? entries[values.lastIndexOf(undefined) + 1]?.actor : undefined;
    return last === undefined || shownAs(last) !== null ? last : (adder ?? last);
  }
}

/** The value at a path in which names stand for elements of lists, and `rules (order)` for their names. */
export function valueIn(values: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    const [, list] = /^(.+) \(order\)$/.exec(String(step)) ?? [];
    if (list !== undefined && isObject(value)) return listOf(value[list]).map(({ name }) => name);
    if (Array.isArray(value))
      return typeof step === "number" ? value[step] : value.find((one) => isObject(one) && one.name === step);
    return isObject(value) ? value[step] : undefined;
  }, values);
}

/** A label of `explain` or `drift` as steps: `rules["Kiwis"].passPercentage`. */
function pathOf(label: string): Path {
  return [...label.matchAll(/\[(\d+)\]|\["([^"]*)"\]|([^.[\]]+)/g)].map(([, index, quoted, word = ""]) =>
    index === undefined ? (quoted ?? word) : Number(index),
  );
}

export async function askAll(world: World, { stack, preview, drawn, log }: Situation): Promise<Answers> {
  const answersIn = (objects: unknown, member: string): Answer[] =>
    listOf(objects).flatMap(({ kind, id, [member]: places }) => {
      const key = `${String(kind).charAt(0).toLowerCase()}${String(kind).slice(1)} ${String(id)}`;
      return listOf(places).map((said) => {
        const label = String(said.path);
        const path = pathOf(label);
        return { object: key, label, path, said, author: log.authorOf(key, path) };
      });
    });
  const explained: Answer[] = [];
  const strange: Answers["strange"][number][] = [];
  for (const one of drawn.program) {
    if (!stack.state.some(({ kind, name }) => kind === one.kind && name === one.name)) continue;
    const { objects } = await world.explain(stack, preview, one.name);
    explained.push(...answersIn(objects, "places"));
    const notThere = one.args.rules === undefined ? [] : ["rules[9]", 'rules["Nobody\'s"].passPercentage'];
    for (const label of [...placesOf(one), ...notThere]) {
      const found = await world.explain(stack, preview, one.name, label).catch(String);
      const answers = isObject(found) ? answersIn(found.objects, "places") : [];
      if (isObject(found) && !notThere.includes(label)) explained.push(...answers);
      else
        strange.push({
          object: `${one.kind} ${one.name}`,
          label,
          said: typeof found === "string" ? found : JSON.stringify(found),
          isThere: !notThere.includes(label),
        });
    }
  }
  const { objects } = await world.drift(stack, preview);
  return { explained, strange, drift: answersIn(objects, "differences") };
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Places that hold one value, as a person would ask for them. */
function placesOf({ kind, args }: Declared): string[] {
  const states = kind === "gate" ? ["isEnabled", "status", "description"] : ["isEnabled", "description"];
  const names = Object.keys(args).filter((name) => !isObject(args[name]) && !Array.isArray(args[name]));
  const rules = listOf(args.rules).map(({ name }, at) =>
    at === 0 ? `rules[${at}].passPercentage` : `rules[${JSON.stringify(name)}].passPercentage`,
  );
  return [...new Set([...names, ...(kind === "experiment" || kind === "layer" ? [] : states), ...rules])];
}

/** The one who is shown as the author: a person by address, a machine's key as null. */
export function shownAs(author: string): string | null {
  return author === ann ? ann : null;
}
