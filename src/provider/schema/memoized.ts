/** Asks once: each caller gets the same answer. */
export function once<Answer>(ask: () => Answer): () => Answer {
  let found: { readonly answer: Answer } | undefined;
  return () => {
    found ??= { answer: ask() };
    return found.answer;
  };
}

/**
 * A pure function of something that never changes, such as a definition: it works each answer out once. The answers go with
 * what they are of.
 */
export function memoized<Key extends object, Value>(work: (of: Key) => Value): (of: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (of) => {
    if (!known.has(of)) known.set(of, work(of));
    return known.get(of) as Value;
  };
}

/** The value of a key, made and kept in the map where that has none. */
export function keptIn<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}
