import type { Spec } from "./spec";
import type { Specs } from "./specs";

/**
 * Specs for a key of target apps: objects of those apps, objects of no app, and the gates that they ask. That the
 * service leaves out the rest is known, how it treats objects of no app is an assumption.
 */
export function onlyFor(specs: Specs, apps: readonly string[]): Specs {
  if (apps.length === 0) return specs;
  const isTheirs = ({ targetAppIDs = [] }: Spec): boolean =>
    targetAppIDs.length === 0 || targetAppIDs.some((one) => apps.includes(one));
  const configs = specs.configs.filter(isTheirs);
  const layers = specs.layers.filter(isTheirs);
  const wanted = [...specs.gates.filter(isTheirs), ...configs, ...layers];
  return { ...specs, gates: withAsked(specs.gates, wanted), configs, layers };
}

/** The gates among the wanted, and all that they ask, one through the other. */
function withAsked(gates: readonly Spec[], wanted: readonly Spec[]): Spec[] {
  const byName = new Map(gates.map((spec) => [spec.name, spec]));
  const seen = new Set<Spec>();
  const visit = (spec: Spec): void => {
    if (seen.has(spec)) return;
    seen.add(spec);
    for (const { type, targetValue } of spec.rules.flatMap(({ conditions }) => conditions)) {
      const asked =
        type === "pass_gate" || type === "fail_gate" ? byName.get(String(targetValue)) : undefined;
      if (asked !== undefined) visit(asked);
    }
  };
  wanted.forEach(visit);
  return gates.filter((spec) => seen.has(spec));
}
