import { isObject, type JsonObject, mapped, objectsIn } from "../../provider/schema/json";
import { idMember, programId } from "../../provider/schema/object-id";
import { fromWire } from "../../provider/schema/wire-names";
import { viewOf } from "../../provider/values/managed";
import { hiddenValue } from "../../provider/words";
import { type ShownKind, shownKinds } from "./kinds";
import type { PagePorts } from "./ports";

/** An object of the console. */
export interface ShownObject {
  readonly kind: ShownKind;
  readonly id: string;
  readonly called: string;
  /** Under the names that programs use, with what the console fills in. No secret is in it. */
  readonly values: JsonObject;
}

/** A part of a list. */
export interface ListPart {
  readonly objects: readonly ShownObject[];
  readonly total: number;
}

/** Objects on one page of a list; the console gives no more at once. */
export const pageSize = 100;

/** Reads the console as the page shows it. What takes many reads is kept until the console changes. */
export class ConsoleReader {
  readonly #ports: PagePorts;
  readonly #kept = new Map<ShownKind, { objects: ShownObject[]; revision: string; until: number }>();

  constructor(ports: PagePorts) {
    this.#ports = ports;
  }

  /** One page of a list; counts from 1. */
  page(kind: ShownKind, number: number): ListPart {
    const { items, total } = this.#list(kind, `limit=${pageSize}&page=${number}`);
    return { objects: items.map((item) => objectOf(kind, item)), total };
  }

  /** The number of objects of each kind. */
  counts(): ReadonlyMap<ShownKind, number> {
    return new Map(shownKinds.map((kind) => [kind, this.#list(kind, "limit=0").total]));
  }

  /** All objects of a kind. Where reading them takes long, they may be older by some of that time. */
  all(kind: ShownKind): readonly ShownObject[] {
    const { revision, clock } = this.#ports;
    const known = this.#kept.get(kind);
    if (known !== undefined && (known.revision === revision() || clock() < known.until)) return known.objects;
    const [revisionRead, start] = [revision(), clock()];
    const objects = this.#readAll(kind);
    // A console that is written all the time is not to be read all the time.
    this.#kept.set(kind, { objects, revision: revisionRead, until: clock() + 5 * (clock() - start) });
    return objects;
  }

  #readAll(kind: ShownKind): ShownObject[] {
    const all: ShownObject[] = [];
    for (let number = 1, total = 1; all.length < total; number += 1) {
      const part = this.page(kind, number);
      if (part.objects.length === 0) break;
      all.push(...part.objects);
      total = part.total;
    }
    return all;
  }

  /** One object; undefined where there is none. */
  one(kind: ShownKind, id: string): ShownObject | undefined {
    const item = this.#read(kind, "get", id);
    return isObject(item) ? objectOf(kind, item) : undefined;
  }

  /** Former forms of an object, newest first, at most {@link pageSize}; none where the console keeps none. */
  formerOf({ kind, id }: ShownObject): readonly JsonObject[] {
    return objectsIn(this.#read(kind, "listVersions", id)).map((item) => objectOf(kind, item).values);
  }

  /** Units that are forced to an answer, as the API shows them; undefined where the kind has none apart. */
  overridesOf({ kind, id }: ShownObject): JsonObject | undefined {
    const overrides = this.#read(kind, "getOverrides", id);
    return isObject(overrides) ? overrides : undefined;
  }

  /** The newest events that applications logged, newest first. */
  events(): readonly JsonObject[] {
    const { body } = this.#ports.read(`/events?limit=${pageSize}`);
    return isObject(body) ? objectsIn(body.data) : [];
  }

  #read({ definition }: ShownKind, name: string, id: string): unknown {
    const path = definition.routes[name]?.path.replace(/\{\w+\}/, () => encodeURIComponent(id));
    if (path === undefined) return undefined;
    const { status, body } = this.#ports.read(path);
    return status === 200 && isObject(body) ? body.data : undefined;
  }

  #list({ definition }: ShownKind, query: string): { items: readonly JsonObject[]; total: number } {
    const list = definition.routes.list;
    if (list === undefined) return { items: [], total: 0 };
    const archived = list.query?.includes("includeArchived") ? "&includeArchived=true" : "";
    const { body } = this.#ports.read(`${list.path}?${query}${archived}`);
    const { data, pagination } = isObject(body) ? body : {};
    const items = objectsIn(data);
    return { items, total: isObject(pagination) ? Number(pagination.totalItems) : items.length };
  }
}

function objectOf(kind: ShownKind, item: JsonObject): ShownObject {
  const { definition } = kind;
  const id = String(item[idMember(definition)]);
  const values = mapped(viewOf(definition, fromWire(definition, item)), (value, name) =>
    definition.fields[name]?.traits.secret ? hiddenValue : value,
  );
  return { kind, id, called: String(programId(definition, values) ?? id), values };
}
