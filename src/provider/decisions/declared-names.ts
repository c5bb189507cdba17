import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject } from "../schema/json";
import { keptIn } from "../schema/memoized";
import { expectedId, nameField, programId } from "../schema/object-id";
import { kindInWords, referencesIn } from "../schema/references";
import { UNKNOWN } from "../schema/unknown";
import { placeText } from "../texts/argument-names";
import { quote } from "../texts/issue-text";
import { meantName } from "../texts/misspelling";

/** Names that the resources of a program declare for one kind. */
interface Declared {
  readonly names: Set<string>;
  /** Nothing of the kind is beside them: "list" where the program has the one list of them, "console" where its console is known. */
  whole: Whole;
}

type Whole = "list" | "console" | undefined;

interface Use {
  readonly kind: string;
  readonly name: string;
  readonly by: string;
  readonly path: string;
  /** The resource that names it by the id. */
  readonly user?: User;
}

/** A resource of a program, as `Gate asks`, and the resources that Pulumi creates before it. */
export interface User {
  readonly resource: string;
  readonly comesOf: ReadonlySet<string>;
  /** This update creates its object. */
  readonly isNew: boolean;
}

/**
 * Names that resources of one program use for each other, in whatever order they are checked. Tells of names that the
 * program could have declared and has not.
 */
export class DeclaredNames {
  readonly #declared = new Map<string, Declared>();
  readonly #uses = new Map<string, Use>();
  readonly #reported = new Set<string>();
  /** Resources whose objects this update creates, by kind and name. */
  readonly #made = new Map<string, User & { readonly by: string }>();
  /** By kind and id, an object and the objects that its conditions name. */
  readonly #asked = new Map<string, { readonly by: string; readonly asked: ReadonlySet<string> }>();

  /**
   * Notes a resource, by its arguments in canonical form.
   * @param by its name in messages, for example `gate "checkout"`
   */
  resource(definition: ResourceDefinition, args: JsonObject, by: string, user?: User): void {
    const isList = definition.identity.how === "singleton";
    const names = isList ? elementNames(definition, args) : namesOf(definition, args);
    this.declared(definition.name, names, isList ? "list" : undefined);
    if (user?.isNew === true)
      for (const name of names) this.#made.set(`${definition.name} ${name}`, { ...user, by });
    const asked = new Set<string>();
    for (const { kind, value, path, standard, isAsked, by: how } of referencesIn(definition, args)) {
      if (isAsked && typeof value === "string") asked.add(`${kind} ${value}`);
      const list = typeof path.at(-1) === "number" ? path.slice(0, -1) : path;
      if (typeof value === "string" && value !== standard)
        this.used(kind, value, by, placeText(definition, list), how === "id" ? user : undefined);
    }
    const id = expectedId(definition, args);
    if (id !== undefined && !id.includes(UNKNOWN)) this.#asked.set(`${definition.name} ${id}`, { by, asked });
  }

  /** True where a resource of the program has that name, or one whose name is not known yet may have it. */
  isDeclared(kind: string, name: string): boolean {
    const names = this.#declared.get(kind)?.names;
    return names?.has(name) === true || names?.has(UNKNOWN) === true;
  }

  /** Notes what an object is called. `whole`: these are all objects of the kind that there are. */
  declared(kind: string, names: readonly string[], whole?: Whole): void {
    const declared = keptIn(this.#declared, kind, (): Declared => ({ names: new Set(), whole: undefined }));
    // A copy for each resource would cost the square of their number.
    for (const name of names) declared.names.add(name);
    declared.whole = whole ?? declared.whole;
  }

  /** The declared name that is probably meant. */
  meant(kind: string, name: string): string | undefined {
    return meantName(name, [...(this.#declared.get(kind)?.names ?? [])]);
  }

  /** Notes that a resource names an object of that kind. */
  used(kind: string, name: string, by: string, path: string, user?: User): void {
    if (name === "" || name.includes(UNKNOWN)) return;
    const use = { kind, name, by, path, ...(user === undefined ? {} : { user }) };
    this.#uses.set(JSON.stringify([kind, name, by, path]), use);
  }

  /**
   * Warnings about all that was noted so far, each told once. To be asked when every resource of the program has been
   * noted: what one names may be declared by the next.
   */
  warnings(): string[] {
    const named = [...this.#uses].map(([key, use]) => [key, this.#warningOf(use)] as const);
    const asking = [...this.#asked].map(([key, { by }]) => [key, this.#circleText(key, by)] as const);
    return [...named, ...asking].flatMap(([key, text]) => {
      if (text === undefined || this.#reported.has(key)) return [];
      this.#reported.add(key);
      return [text];
    });
  }

  /** The warning about an object that asks itself. */
  #circleText(key: string, by: string): string | undefined {
    const way = this.#wayTo(key, [key], new Set());
    if (way === undefined) return undefined;
    const others = way.slice(1).map((one) => this.#asked.get(one)?.by);
    const how = others.length === 0 ? "" : ` by way of ${others.join(" and ")}`;
    return `${by} asks itself${how}: statsig-node answers its default for that; take one of the conditions away`;
  }

  /** The objects between one and itself, from the last of `way` on. */
  #wayTo(key: string, way: readonly string[], seen: Set<string>): readonly string[] | undefined {
    for (const next of this.#asked.get(way.at(-1) ?? "")?.asked ?? []) {
      if (next === key) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      const found = this.#wayTo(key, [...way, next], seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A text does not make Pulumi create what it names first. Of two that name each other, one has to be a text. */
  #orderText({ kind, name, by, path, user }: Use): string | undefined {
    const made = this.#made.get(`${kind} ${name}`);
    if (made === undefined || user === undefined || made.resource === user.resource) return undefined;
    const isBack = [...this.#uses.values()].some(
      (one) => one.by === made.by && this.#made.get(`${one.kind} ${one.name}`)?.resource === user.resource,
    );
    if (user.comesOf.has(made.resource) || made.comesOf.has(user.resource) || isBack) return undefined;
    return `${by}: ${path}: ${quote(name)} is a text, and this update creates ${made.by}, perhaps later: pass the resource in its place`;
  }

  #warningOf(use: Use): string | undefined {
    const { kind, name, by, path } = use;
    const declared = this.#declared.get(kind);
    // A name that is not known yet may be this one.
    if (declared === undefined || declared.names.has(UNKNOWN)) return undefined;
    if (declared.names.has(name)) return this.#orderText(use);
    const { whole } = declared;
    const meant = this.meant(kind, name);
    if (meant === undefined && whole === undefined) return undefined;
    if (meant === undefined && whole === "console") return `${by}: ${path}: ${absentText(kind, name)}`;
    const place = whole === "list" ? `is not among the ${kindInWords(kind)}` : `is no ${kindInWords(kind)}`;
    const advice = meant === undefined ? "" : `; did you mean ${quote(meant)}?`;
    return `${by}: ${path}: ${quote(name)} ${place} of this program${advice}`;
  }
}

/** Warning about a gate or segment of a condition that is nowhere. SDKs answer that a user does not pass what they do not know. */
export const absentText = (kind: string, name: string): string =>
  `${quote(name)} is no ${kindInWords(kind)} of this program or of the console: nobody passes it, and everyone fails it`;

/** All that other objects may call one by: its id as far as it can be told, and its name. */
export function namesOf(definition: ResourceDefinition, args: JsonObject): string[] {
  const called = programId(definition, args);
  const all = [
    ...[args.__adopt, called, args[nameField]],
    called === undefined ? undefined : expectedId(definition, args),
  ];
  return all
    .filter((name) => typeof name === "string")
    .map((name) => (name.includes(UNKNOWN) ? UNKNOWN : name));
}

/** Names of the elements of which an object consists that every project has exactly once. */
export function elementNames(definition: ResourceDefinition, args: JsonObject): string[] {
  return Object.entries(definition.fields).flatMap(([field, { traits }]) => {
    const { keyedBy } = traits;
    const list = args[field];
    if (keyedBy === undefined || list === undefined) return [];
    if (!Array.isArray(list)) return [UNKNOWN];
    return list.map((one: unknown) => {
      const name = isObject(one) ? one[keyedBy] : UNKNOWN;
      return typeof name === "string" ? name : UNKNOWN;
    });
  });
}
