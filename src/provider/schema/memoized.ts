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
