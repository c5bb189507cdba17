import { managed } from "../../provider/definitions";
import type { ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import { programIdArgument } from "../../provider/schema/object-id";
import { referencesIn } from "../../provider/schema/references";
import { holds, UNKNOWN } from "../../provider/schema/unknown";
import type { Obstacle } from "../past/obstacles";
import { type IdsAcross, idsAcross, keyOf, type Pair, translated } from "../review";
import type { Consoles } from "../stack/live";
import type { Promoted } from "./promotion";

/** A console, and the stack that it belongs to. */
export interface StackConsoles {
  readonly name: string;
  readonly consoles: Consoles;
}

const kinds: Readonly<Record<string, ResourceDefinition>> = managed;

/** Turns the ids of one console into those of another: by the pairs of the stacks, else by what the consoles call an object. */
export function idsBetween(pairs: readonly Pair[], from: StackConsoles, to: StackConsoles) {
  const { pairOf, elementsOf } = idsAcross(pairs);
  const idOf = idFinder(pairOf, from, to);
  /** Arguments with the id of an element, such as a group, of an object whose counterpart has none of its name. */
  const lackedElements = (args: JsonObject, kind: string, owner: string): Obstacle[] =>
    [...elementsOf(kind, owner)].flatMap(([element, { name, id }]) =>
      Object.entries(args)
        .filter(([, value]) => id === undefined && holds(value, (one) => one === element))
        .map(([argument]) => ({
          name: argument,
          why: `it refers to "${String(name)}" of ${titleOf(kind)} "${owner}", and ${to.name} has none of its name there`,
        })),
    );

  /** The arguments of a resource, as the other stack would set them. */
  return async (pair: Pair): Promise<Promoted> => {
    const { definition, wanted = {} } = pair[0];
    const ids = new Map<string, unknown>();
    const untranslated: Obstacle[] = [];
    for (const { path, by, kind, value } of referencesIn(definition, wanted)) {
      if (by !== "id" || value === UNKNOWN) continue;
      const text = String(value);
      const id = await idOf(pair, kind, text);
      ids.set(keyOf(kind, text), id ?? value);
      const title = titleOf(kind);
      const why = `it refers to ${title} "${text}" of ${from.name}, and ${to.name} has no ${title} of its name`;
      if (id === undefined) untranslated.push({ name: String(path[0]), why });
      untranslated.push(...lackedElements(wanted, kind, text));
    }
    const objectId: IdsAcross["objectId"] = (kind, id) => ids.get(keyOf(kind, String(id))) ?? id;
    return { args: translated(definition, wanted, { objectId, elementsOf }), untranslated };
  };
}

/** Finds the id that an object of the first console has in the other one. */
function idFinder(pairOf: ReturnType<typeof idsAcross>["pairOf"], from: StackConsoles, to: StackConsoles) {
  const lists = new Map<string, Promise<ReadonlyMap<string, string>>>();

  return async (pair: Pair, kind: string, id: string): Promise<unknown> => {
    const paired = pairOf(kind, id);
    if (paired !== undefined) return paired[1].id ?? UNKNOWN;
    const definition = kinds[kind];
    // An id that follows from a name is the same in every console.
    if (definition?.identity.how !== "server") return id;
    const argument = programIdArgument(definition);
    const { read } = definition.lifecycle;
    const list = "list" in read ? read.list : undefined;
    if (argument === undefined || list === undefined) return undefined;
    const [{ provider }, other] = pair;
    const object = await from.consoles.live(definition, id, provider);
    const listed = async () =>
      idsByName(await to.consoles.listed(definition, list, other.provider), argument);
    const ids = await keptIn(lists, keyOf(kind, other.provider), listed);
    return ids.get(String(object?.[argument]));
  };
}

function titleOf(kind: string): string {
  return kinds[kind]?.title ?? kind;
}

/** The ids of objects by what these are called; a name that two share is nobody's. */
function idsByName(
  objects: Awaited<ReturnType<Consoles["listed"]>>,
  argument: string,
): ReadonlyMap<string, string> {
  const named = Map.groupBy(objects, ({ values }) => String(values[argument]));
  return new Map(
    [...named].flatMap(([name, [one, ...others]]) =>
      one === undefined || others.length > 0 ? [] : [[name, one.id]],
    ),
  );
}
