import { isObject } from "./json";

/** Objects inside a value that name another by its id, which is in the member `in`: `by` tells them, it says one `of` these. */
export interface AskingValues {
  readonly by: string;
  readonly of: readonly string[];
  readonly in: string;
}

/** Kinds whose objects may ask for one, in such conditions, or by its id in these fields. */
export interface AskedBy {
  readonly kinds: readonly string[];
  readonly conditions: AskingValues;
  readonly fields?: readonly string[];
}

/** Ids that objects inside a value ask for, however deep. */
export function askedIds(value: unknown, asking: AskingValues): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => askedIds(one, asking));
  if (!isObject(value)) return [];
  const { by, of, in: member } = asking;
  const said = value[by];
  const ids = typeof said === "string" && of.includes(said) ? [value[member]].flat() : [];
  return [
    ...ids.filter((id) => typeof id === "string"),
    ...Object.values(value).flatMap((one) => askedIds(one, asking)),
  ];
}
