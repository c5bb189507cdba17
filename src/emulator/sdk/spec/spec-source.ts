import { keptIn } from "../../../provider/schema/memoized";
import { reachedFrom } from "../../../provider/schema/references";
import type { Store, World } from "../../store/store";
import { keepBuckets } from "./buckets";
import { bodyOf, type Form } from "./documents";
import { gatesAskedBy, type Spec } from "./spec";
import { type Specs, specsOf } from "./specs";

/** The documents for SDKs until the next change. */
export interface Snapshot {
  /** Milliseconds since 1970; later for every change. */
  readonly time: number;
  readonly specs: Specs;
  /** The document of one family, but for its time. */
  body(form: Form): string;
}

/** The one place that knows what SDKs are shown now. */
export type SpecSource = ReturnType<typeof createSpecSource>;

interface Cached extends Snapshot {
  revision: string;
}

/**
 * Makes documents when the store has another revision than the one they were made of; each is made within one transaction, so that
 * none holds half of a write. A change that no SDK sees does not make a new one.
 * @param tell takes each finding, each time that documents are made
 * @param inlineIds how many ids a segment may have in the document; left out: as many as the service puts there
 */
export function createSpecSource(
  store: Store,
  clock: () => number,
  tell: (finding: string) => void,
  inlineIds?: number,
) {
  const cached = new Map<string, Cached>();
  let newest = 0;
  const refresh = (apps: readonly string[], former: Cached | undefined): Cached => {
    const { specs, revision } = readSpecs(store, clock, inlineIds);
    for (const finding of specs.findings) tell(finding);
    const shown = onlyFor(specs, apps);
    const body = bodies(shown, apps[0]);
    const isSame = former !== undefined && former.body("v2") === body("v2");
    // SDKs ignore what is not later than what they have: two changes within a millisecond, or a clock that was put back.
    newest = isSame ? newest : Math.max(newest + 1, clock());
    return { time: isSame ? former.time : newest, specs: shown, body: isSame ? former.body : body, revision };
  };
  return {
    /** @param apps the target apps of a key; none: everything */
    current(apps: readonly string[]): Snapshot {
      const key = JSON.stringify(apps);
      const known = cached.get(key);
      if (known !== undefined && known.revision === store.revision() && clock() < known.specs.until)
        return known;
      const next = refresh(apps, known);
      cached.set(key, next);
      return next;
    },
    /** Runs a write that changes nothing that SDKs are shown. */
    writeBeside(work: (world: World) => void): void {
      store.transaction("write", (world) => {
        const before = store.revision();
        work(world);
        const after = store.revision();
        for (const one of cached.values()) if (one.revision === before) one.revision = after;
      });
    },
  };
}

function readSpecs(
  store: Store,
  clock: () => number,
  inlineIds: number | undefined,
): { specs: Specs; revision: string } {
  const read = store.transaction("read", (world) => ({
    revision: store.revision(),
    specs: specsOf(world, clock(), inlineIds),
  }));
  if (read.specs.newAllocations.size === 0) return read;
  return store.transaction("write", (world) => {
    const specs = specsOf(world, clock(), inlineIds);
    keepBuckets(world, specs.newAllocations);
    return { specs, revision: store.revision() };
  });
}

/** Either form is written when it is first asked for. */
function bodies(specs: Specs, app: string | undefined): Snapshot["body"] {
  const written = new Map<Form, string>();
  return (form) => keptIn(written, form, () => bodyOf(specs, form, app));
}

/**
 * Specs for a key of target apps: objects of those apps, objects of no app, and the gates that they ask. That the
 * service leaves out the rest is known, how it treats objects of no app is an assumption.
 */
function onlyFor(specs: Specs, apps: readonly string[]): Specs {
  if (apps.length === 0) return specs;
  const isTheirs = ({ targetAppIDs = [] }: Spec): boolean =>
    targetAppIDs.length === 0 || targetAppIDs.some((one) => apps.includes(one));
  const configs = specs.configs.filter(isTheirs);
  const layers = specs.layers.filter(isTheirs);
  const asked = new Map(specs.gates.map((gate) => [gate.name, gatesAskedBy(gate)]));
  const names = specs.gates.filter(isTheirs).map(({ name }) => name);
  const wanted = reachedFrom(
    [...names, ...[...configs, ...layers].flatMap(gatesAskedBy)],
    (name) => asked.get(name) ?? [],
  );
  return { ...specs, gates: specs.gates.filter(({ name }) => wanted.has(name)), configs, layers };
}
