import { isObject, type JsonObject } from "./json";

/** Objects inside a value that name another by its id, which is in the member `in`: `by` tells them, it says one `of` these. */
export interface ReferringValues {
  readonly by: string;
  readonly of: readonly string[];
  readonly in: string;
}

/** Kinds whose objects may use one, in such conditions, or by its id in these fields. */
export interface UsedBy {
  readonly kinds: readonly string[];
  readonly conditions?: ReferringValues;
  readonly fields?: readonly string[];
}

/** Ids of the objects that one uses, in its conditions and by those fields. */
export function idsUsedIn(values: JsonObject, { conditions, fields = [] }: UsedBy): string[] {
  const named = fields.map((field) => values[field]).filter((id) => typeof id === "string" && id !== "");
  return [...(named as string[]), ...(conditions === undefined ? [] : usedIds(values, conditions))];
}

/** Ids of the objects that a value uses, however deep. */
function usedIds(value: unknown, referring: ReferringValues): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => usedIds(one, referring));
  if (!isObject(value)) return [];
  const { by, of, in: member } = referring;
  const tag = value[by];
  const ids = typeof tag === "string" && of.includes(tag) ? [value[member]].flat() : [];
  return [
    ...ids.filter((id) => typeof id === "string"),
    ...Object.values(value).flatMap((one) => usedIds(one, referring)),
  ];
}
