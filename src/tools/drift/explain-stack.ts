import type { Path } from "../../provider/schema/path";
import { closest } from "../../provider/texts/closest";
import { quote } from "../../provider/texts/issue-text";
import { type Resource, resourcesOf } from "../stack/resources";
import { UsageError } from "../stack/usage-error";
import { withAuditedChanges } from "./audited-changes";
import type { DriftPorts } from "./drift";
import { type Explanation, explain, explainAt } from "./explain";
import { Consoles } from "./live";
import { type Comparison, compareThree } from "./three-ways";

/** A resource, and why it differs. */
export interface Explained {
  readonly comparison: Comparison;
  readonly places: readonly Explanation[];
}

/** What is to be explained: a resource by name, id or URN, and a place in it, such as `rules["Staff"].passPercentage`. */
export interface Question {
  readonly name: string;
  readonly place: string | undefined;
}

/**
 * Why the resources of that name differ from state and console. Reads these objects alone, and writes nothing.
 * @throws UsageError for a resource or an argument that is not there, and what the Pulumi CLI or the console says when one of them fails.
 */
export async function explainStack(
  { stack, console, progress }: DriftPorts,
  { name, place }: Question,
): Promise<Explained[]> {
  progress("Reading the state and the program's values (pulumi preview) ...");
  const exported = await stack.exported();
  const all = resourcesOf(exported, await stack.preview());
  const asked = all.filter((one) => [one.name, one.id, one.urn].includes(name));
  if (asked.length === 0) {
    const meant = closest(
      name,
      all.map((one) => one.name),
    );
    throw new UsageError(
      `the stack has no resource ${quote(name)}${meant === undefined ? "" : `; did you mean ${quote(meant)}?`}`,
    );
  }
  const consoles = new Consoles(await stack.config(), exported, console);
  const live = await consoles.readAll(asked);
  const compared = asked.map((resource) =>
    compareThree(resource, live.get(resource.urn), consoles.hasOther(resource)),
  );
  return Promise.all(
    (await withAuditedChanges(consoles, compared, progress)).map(async (comparison): Promise<Explained> => {
      const { resource } = comparison;
      const { definition, id = "", provider, applied, wanted, urn } = resource;
      const now = live.get(urn);
      if (now === undefined || applied === undefined || wanted === undefined)
        return { comparison, places: [] };
      const overwrites = consoles.overwritesEdits(provider);
      const places = explain(resource, now, overwrites);
      const inside = places.filter(({ label }) => place === undefined || isInside(label, place));
      if (place === undefined || inside.length > 0) return { comparison, places: inside };
      // A refresh keeps the program's value where the console decides: here the console's own is asked for.
      const outputs = (await consoles.live(definition, id, provider)) ?? now.outputs;
      const path = pathOf(resource, place);
      return {
        comparison,
        places: [explainAt(resource, { ...now, outputs }, { path, label: place }, overwrites)],
      };
    }),
  );
}

/** True for a place, and for what is in it. */
function isInside(label: string, place: string): boolean {
  return label.startsWith(place) && /^(?:[.[ ]|$)/.test(label.slice(place.length));
}

/** `rules[0].passPercentage` and `rules["Staff"].passPercentage` as steps. @throws UsageError for a field that the kind has not. */
function pathOf({ definition, name }: Resource, text: string): Path {
  const steps = [...text.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(
    ([, index, quoted, word]) =>
      index === undefined
        ? quoted === undefined
          ? String(word)
          : (JSON.parse(`"${quoted}"`) as string)
        : Number(index),
  );
  const [field] = steps;
  const fields = Object.keys(definition.fields);
  if (typeof field === "string" && fields.includes(field)) return steps;
  const meant = closest(String(field), fields);
  throw new UsageError(
    `${definition.name} ${quote(name)} has no field ${quote(String(field))}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
  );
}
