import type { SpecDocument } from "../../src/emulator/evaluation/specs";

/** The flags that two documents do not describe alike, and all that name such a flag, directly or not. */
export function touchedIn(before: SpecDocument, after: SpecDocument): ReadonlySet<string> {
  const [were, are] = [textsOf(before), textsOf(after)];
  const all = [...were, ...are];
  const touched = new Set(all.flatMap(([name]) => (were.get(name) === are.get(name) ? [] : [name])));
  for (const name of touched)
    for (const [asker, text] of all) if (text.includes(JSON.stringify(name))) touched.add(asker);
  return touched;
}

function textsOf({ feature_gates, dynamic_configs, layer_configs }: SpecDocument): Map<string, string> {
  const texts = new Map<string, string>();
  for (const spec of [...feature_gates, ...dynamic_configs, ...layer_configs])
    texts.set(spec.name, (texts.get(spec.name) ?? "") + JSON.stringify(spec));
  return texts;
}
