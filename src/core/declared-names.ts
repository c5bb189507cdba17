import type { ResourceDefinition } from "./define";
import { quote } from "./issue-text";
import { isObject, type JsonObject } from "./json";
import { meantName } from "./misspelling";
import { calledBy, expectedId, nameField } from "./object-id";
import { pathText } from "./path";
import { kindInWords, referencesIn } from "./references";
import { UNKNOWN } from "./unknown";

/** What the resources of a program are called, or what one says of another. */
interface Declared {
  readonly names: Set<string>;
  /** There is nothing of the kind beside what the program says. */
  isWhole: boolean;
}

interface Use {
  readonly kind: string;
  readonly name: string;
  readonly by: string;
  readonly path: string;
}

/**
 * Names that resources of one program use for each other, in whatever order they are checked. Tells of names that the
 * program could have declared and has not.
 */
export class DeclaredNames {
  readonly #declared = new Map<string, Declared>();
  readonly #uses = new Map<string, Use>();
  readonly #reported = new Set<string>();

  /**
   * Notes a resource, by its arguments in canonical form.
   * @param by its name in messages, for example `gate "checkout"`
   */
  resource(definition: ResourceDefinition, args: JsonObject, by: string): void {
    const isWhole = definition.identity.how === "singleton";
    const names = isWhole ? elementNames(definition, args) : namesOf(definition, args);
    this.declared(definition.name, names, isWhole);
    for (const { kind, value, path, standard } of referencesIn(definition, args)) {
      const list = typeof path.at(-1) === "number" ? path.slice(0, -1) : path;
      if (typeof value === "string" && value !== standard) this.used(kind, value, by, pathText(list));
    }
  }

  /** Notes what an object is called. `isWhole`: these are all objects of the kind that there are. */
  declared(kind: string, names: readonly string[], isWhole = false): void {
    const before = this.#declared.get(kind);
    this.#declared.set(kind, {
      names: new Set([...(before?.names ?? []), ...names]),
      isWhole: isWhole || (before?.isWhole ?? false),
    });
  }

  /** Notes that a resource names an object of that kind. */
  used(kind: string, name: string, by: string, path: string): void {
    if (name === "" || name.includes(UNKNOWN)) return;
    this.#uses.set(JSON.stringify([kind, name, by, path]), { kind, name, by, path });
  }

  /**
   * Warnings about all that was noted so far, each told once. To be asked when every resource of the program has been
   * noted: what one names may be declared by the next.
   */
  warnings(): string[] {
    return [...this.#uses].flatMap(([key, use]) => {
      const text = this.#reported.has(key) ? undefined : this.#warningOf(use);
      if (text === undefined) return [];
      this.#reported.add(key);
      return [text];
    });
  }

  #warningOf({ kind, name, by, path }: Use): string | undefined {
    const declared = this.#declared.get(kind);
    // A name that is not known yet may be this one.
    if (declared === undefined || declared.names.has(name) || declared.names.has(UNKNOWN)) return undefined;
    const meant = meantName(name, [...declared.names]);
    if (meant === undefined && !declared.isWhole) return undefined;
    const place = declared.isWhole ? `is not among the ${kindInWords(kind)}` : `is no ${kindInWords(kind)}`;
    const advice = meant === undefined ? "" : `; did you mean ${quote(meant)}?`;
    return `${by}: ${path}: ${quote(name)} ${place} of this program${advice}`;
  }
}

/** All that other objects may call one by: its id as far as it can be told, and its name. */
function namesOf(definition: ResourceDefinition, args: JsonObject): string[] {
  const called = calledBy(definition, args);
  const all = [
    ...[args.__adopt, called, args[nameField]],
    called === undefined ? undefined : expectedId(definition, args),
  ];
  return all
    .filter((name) => typeof name === "string")
    .map((name) => (name.includes(UNKNOWN) ? UNKNOWN : name));
}

/** Names of the elements of which an object consists that every project has exactly once. */
function elementNames(definition: ResourceDefinition, args: JsonObject): string[] {
  return Object.entries(definition.fields).flatMap(([field, { facts }]) => {
    const { keyedBy } = facts;
    const list = args[field];
    if (keyedBy === undefined || list === undefined) return [];
    if (!Array.isArray(list)) return [UNKNOWN];
    return list.map((one: unknown) => {
      const name = isObject(one) ? one[keyedBy] : UNKNOWN;
      return typeof name === "string" ? name : UNKNOWN;
    });
  });
}
