import { type Condition, type List, lists, resalted, type Spec, type SpecDocument, saltOf } from "./specs";

/** Name of a flag in another draw; the first draw is its own. */
export const inDraw = (name: string, draw: number): string => (draw === 0 ? name : `${name} (draw ${draw})`);

/**
 * Adds other draws of some objects to the documents before and after a change: salts that the live objects do not have are others in
 * each. Objects of one draw ask each other.
 * @param places the objects, with all that ask them
 */
export function withDraws(
  [live, after]: readonly [SpecDocument, SpecDocument],
  places: ReadonlySet<string>,
  draws: number,
): [SpecDocument, SpecDocument] {
  const known = new Set<unknown>(lists.flatMap((list) => live[list].flatMap(saltsIn)));
  const again = (document: SpecDocument, list: List): Spec[] => {
    const open = document[list].filter(({ name }) => places.has(`${list}/${name}`));
    return Array.from({ length: draws }, (_, draw) =>
      draw === 0 ? document[list] : open.map((spec) => drawnAgain(spec, { draw, known, places })),
    ).flat();
  };
  const all = (document: SpecDocument): SpecDocument => ({
    ...document,
    ...(Object.fromEntries(lists.map((list) => [list, again(document, list)])) as Record<List, Spec[]>),
  });
  return [all(live), all(after)];
}

const saltsIn = ({ rules }: Spec): unknown[] =>
  rules.flatMap(({ salt, conditions }) => [salt, ...conditions.map(saltOf)]);

interface Draw {
  readonly draw: number;
  readonly known: ReadonlySet<unknown>;
  readonly places: ReadonlySet<string>;
}

function drawnAgain(spec: Spec, { draw, known, places }: Draw): Spec {
  const salted = (salt: string | undefined) => (!salt || known.has(salt) ? salt : inDraw(salt, draw));
  const named = (list: List, name: string) => (places.has(`${list}/${name}`) ? inDraw(name, draw) : name);
  const asking = (one: Condition): Condition =>
    one.type === "pass_gate" || one.type === "fail_gate"
      ? { ...one, targetValue: named("feature_gates", String(one.targetValue)) }
      : one;
  const rules = spec.rules
    .map((rule) => resalted(rule, salted))
    .map(({ configDelegate: of, ...rule }) => ({
      ...{ ...rule, conditions: rule.conditions.map(asking) },
      ...(of === undefined ? {} : { configDelegate: named("dynamic_configs", of) }),
    }));
  return { ...spec, name: inDraw(spec.name, draw), rules };
}
