import type { ResourceDefinition } from "../core/define";
import type { JsonObject } from "../core/json";
import { idArguments } from "../core/object-id";
import { type Reference, referencesIn } from "../core/references";
import { UNKNOWN } from "../core/unknown";
import { type NewObjectName, nameIn } from "../plain-words";
import type { Dependent } from "./review";
import type { Subject } from "./subjects";

/** An object that only the console has, under the names that programs use. */
export interface ConsoleObject {
  readonly definition: ResourceDefinition;
  readonly id: string;
  readonly values: JsonObject;
}

/** Who refers to whom, after the changes. */
export class References {
  readonly #dependents = new Map<string, Map<string, Dependent>>();
  readonly #byUrn: ReadonlyMap<string, Subject>;
  readonly #created = new Map<string, Subject[]>();

  constructor(subjects: readonly Subject[], console: readonly ConsoleObject[] = []) {
    this.#byUrn = new Map(subjects.map((subject) => [subject.urn, subject]));
    for (const subject of subjects) {
      if (subject.act !== "create") continue;
      const { name } = subject.definition;
      this.#created.set(name, [...(this.#created.get(name) ?? []), subject]);
    }
    for (const subject of subjects) this.#noteSubject(subject);
    const known = new Set(subjects.map(({ definition, id }) => keyOf(definition.name, id ?? "")));
    for (const { definition, id, values } of console) {
      if (known.has(keyOf(definition.name, id))) continue;
      for (const reference of referencesIn(definition, values))
        this.#note(reference, { object: `${definition.title} ${nameIn(id)}`, where: "console" });
    }
  }

  /** Objects that refer to one, each once. */
  dependentsOf({ definition, id, called }: Subject): Dependent[] {
    const ids = new Set([id, called]);
    const found = [...ids].flatMap((one) => [
      ...(this.#dependents.get(keyOf(definition.name, one ?? ""))?.entries() ?? []),
    ]);
    const self = `${definition.title} ${nameIn(called)}`;
    return [...new Map(found).values()].filter(({ object }) => object !== self);
  }

  /** What the objects are called whose ids an argument of a subject waits for. */
  newNameIn({ step }: Subject, argument: string): NewObjectName {
    const urns = step.newState?.propertyDependencies?.[argument];
    return (kind) => {
      const subjects = urns?.flatMap((urn) => this.#byUrn.get(urn) ?? []) ?? this.#created.get(kind) ?? [];
      const names = subjects
        .filter(({ definition, act }) => definition.name === kind && act === "create")
        .map(({ called }) => nameIn(called));
      return names.length === 0 ? undefined : `${names.join(" or ")} (new)`;
    };
  }

  #noteSubject(subject: Subject): void {
    const { definition, wants, step, called } = subject;
    if (wants === undefined) return;
    const dependent: Dependent = { object: `${definition.title} ${nameIn(called)}`, where: "program" };
    // A part of an object, such as its overrides, is called by it and goes with it.
    const own = idArguments(definition);
    for (const reference of referencesIn(definition, wants)) {
      if (own.includes(String(reference.path[0]))) continue;
      if (reference.value !== UNKNOWN) this.#note(reference, dependent);
      else
        for (const urn of step.newState?.propertyDependencies?.[String(reference.path[0])] ?? []) {
          const meant = this.#byUrn.get(urn);
          if (meant?.definition.name === reference.kind)
            this.#note({ ...reference, value: meant.called }, dependent);
        }
    }
  }

  #note({ kind, value }: Reference, dependent: Dependent): void {
    if (typeof value !== "string" || value === "") return;
    const key = keyOf(kind, value);
    const known = this.#dependents.get(key) ?? new Map<string, Dependent>();
    known.set(dependent.object, dependent);
    this.#dependents.set(key, known);
  }
}

function keyOf(kind: string, id: string): string {
  return `${kind}\n${id}`;
}
