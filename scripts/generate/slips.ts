import type { ObjectDefinition } from "../../src/provider/schema/define";
import { quote } from "../../src/provider/texts/issue-text";
import { fieldSlips } from "./field-slips";
import { lifecycleSlips } from "./lifecycle-slips";
import { routeSlips } from "./route-slips";
import { isManaged } from "./shapes";
import type { Slip, Surroundings } from "./slip";

/** What is wrong with any of the definitions, one line each: the kind, the path and the message. */
export function slipsIn(around: Surroundings): string[] {
  return Object.entries(around.definitions).flatMap(([name, definition]) =>
    [
      ...nameSlips(name, definition, around),
      ...fieldSlips(definition, around),
      ...routeSlips(definition),
      ...(isManaged(definition) ? lifecycleSlips(definition, around) : []),
    ].map(({ path, message }) => `${definition.kind}: ${path}: ${message}`),
  );
}

function nameSlips(
  exported: string,
  { kind, name }: ObjectDefinition,
  { definitions }: Surroundings,
): Slip[] {
  const slips: Slip[] = [];
  if (name !== exported)
    slips.push({ path: "name", message: `${quote(name)} is listed in the catalog as ${quote(exported)}` });
  if (name !== kind.charAt(0).toLowerCase() + kind.slice(1))
    slips.push({ path: "name", message: `${quote(name)} is not the kind in camelCase` });
  const others = Object.values(definitions).filter((other) => other.kind === kind);
  if (others.length > 1) slips.push({ path: "kind", message: "is the kind of another definition too" });
  return slips;
}
