import { managed } from "../../provider/definitions";
import type { ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { programIdArgument } from "../../provider/schema/object-id";
import { referencesIn } from "../../provider/schema/references";
import { holds, UNKNOWN } from "../../provider/schema/unknown";
import type { Obstacle } from "../past/obstacles";
import { elementsAcross, type IdsAcross, type Pair, translated } from "../review";
import type { Consoles } from "../stack/live";
import type { Promoted } from "./promotion";

/** A console, and the stack that it belongs to. */
export interface StackConsoles {
  readonly name: string;
  readonly consoles: Consoles;
}

const kinds: ReadonlyMap<string, ResourceDefinition> = new Map(
  Object.values<ResourceDefinition>(managed).map((one) => [one.name, one]),
);

/** Turns the ids of one console into those of another: by the pairs of the stacks, else by what the consoles call an object. */
export class IdsBetween {
  readonly #from: StackConsoles;
  readonly #to: StackConsoles;
  readonly #paired: ReadonlyMap<string, unknown>;
  readonly #elementsOf: IdsAcross["elementsOf"];
  readonly #lists = new Map<string, Promise<ReadonlyMap<string, string>>>();

  constructor(pairs: readonly Pair[], from: StackConsoles, to: StackConsoles) {
    this.#from = from;
    this.#to = to;
    this.#elementsOf = elementsAcross(pairs);
    this.#paired = new Map(
      pairs.flatMap(([{ definition, id }, other]) =>
        id === undefined ? [] : [[keyOf(definition.name, id), other.id ?? UNKNOWN] as const],
      ),
    );
  }

  /** The arguments of a resource, as the other stack would set them. */
  async promoted(pair: Pair): Promise<Promoted> {
    const { definition, wanted = {} } = pair[0];
    const ids = new Map<string, unknown>();
    const untranslated: Obstacle[] = [];
    for (const { path, by, kind, value } of referencesIn(definition, wanted)) {
      if (by !== "id" || value === UNKNOWN) continue;
      const id = await this.#idOf(pair, kind, String(value));
      ids.set(keyOf(kind, value), id ?? value);
      const title = kinds.get(kind)?.title ?? kind;
      const why = `it refers to ${title} "${String(value)}" of ${this.#from.name}, and ${this.#to.name} has no ${title} of its name`;
      if (id === undefined) untranslated.push({ name: String(path[0]), why });
      untranslated.push(...this.#lackedElements(wanted, kind, value));
    }
    const objectId: IdsAcross["objectId"] = (kind, id) => ids.get(keyOf(kind, id)) ?? id;
    const args = translated(definition, wanted, { objectId, elementsOf: this.#elementsOf });
    return { args, untranslated };
  }

  /** Arguments with the id of an element, such as a group, of an object whose counterpart has none of its name. */
  #lackedElements(args: JsonObject, kind: string, owner: unknown): Obstacle[] {
    const title = kinds.get(kind)?.title ?? kind;
    return [...this.#elementsOf(kind, owner)].flatMap(([element, { name, id }]) =>
      Object.entries(args)
        .filter(([, value]) => id === undefined && holds(value, (one) => one === element))
        .map(([argument]) => ({
          name: argument,
          why: `it refers to "${String(name)}" of ${title} "${String(owner)}", and ${this.#to.name} has none of its name there`,
        })),
    );
  }

  async #idOf([from, to]: Pair, kind: string, id: string): Promise<unknown> {
    const key = keyOf(kind, id);
    if (this.#paired.has(key)) return this.#paired.get(key);
    const definition = kinds.get(kind);
    // An id that follows from a name is the same in every console.
    if (definition?.identity.how !== "server") return id;
    const argument = programIdArgument(definition);
    const { read } = definition.lifecycle;
    const list = "list" in read ? read.list : undefined;
    if (argument === undefined || list === undefined) return undefined;
    const object = await this.#from.consoles.live(definition, id, from.provider);
    const asked = keyOf(kind, to.provider);
    const ids = this.#lists.get(asked) ?? this.#listed(definition, list, argument, to.provider);
    this.#lists.set(asked, ids);
    return (await ids).get(String(object?.[argument]));
  }

  /** The ids of a kind in the other console, by what objects are called; one that two share is nobody's. */
  async #listed(
    definition: ResourceDefinition,
    list: string,
    argument: string,
    provider: string | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    const objects = await this.#to.consoles.listed(definition, list, provider);
    const names = objects.map(({ values }) => String(values[argument]));
    return new Map(
      objects.flatMap(({ id }, at) => {
        const name = names[at] as string;
        return names.indexOf(name) === names.lastIndexOf(name) ? [[name, id] as const] : [];
      }),
    );
  }
}

function keyOf(kind: string, id: unknown): string {
  return `${kind}\n${String(id)}`;
}
