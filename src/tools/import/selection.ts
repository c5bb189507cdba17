import { isArchived } from "../../provider/decisions/plan";
import { catalog, parts } from "../../provider/definitions";
import { withoutStar } from "../../provider/definitions/parts/audit-fields";
import type { ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { nameField } from "../../provider/schema/object-id";
import { guess } from "../../provider/texts/misspelling";
import { UsageError } from "../stack/project";

/** Which objects of a project are meant; what is left out asks for nothing. */
export interface Selection {
  /** Kinds, in any of the forms `gate`, `Gate`, `gates`, `dynamic-configs`. */
  readonly kinds?: readonly string[] | undefined;
  /** Names of tags, of which an object has one at least. */
  readonly tags?: readonly string[] | undefined;
  /** Name or id of the owning team. */
  readonly team?: string | undefined;
  /** Pattern of an id or name, with `*` and `?`. */
  readonly match?: string | undefined;
  /** Archived ones too. */
  readonly archived?: boolean | undefined;
}

const all: readonly ResourceDefinition[] = Object.values({ ...catalog, ...parts });
// Left out: what takes a request for each object or place that may have it.
const kinds = all.filter(({ name, identity }) => !Object.hasOwn(parts, name) && identity.how !== "address");

/** Kinds by their names. @throws UsageError that names an unknown one, and the one that may be meant. */
export function kindsNamed(names: readonly string[] | undefined): readonly ResourceDefinition[] {
  if (names === undefined) return kinds;
  return names.map(kindNamed);
}

/** A kind by its name. @throws UsageError */
export function kindNamed(name: string): ResourceDefinition {
  const found = all.find(({ name: own, kind, plural = own }) =>
    [own, `${kind}s`, plural].map(lettersOf).includes(lettersOf(name)),
  );
  if (found !== undefined) return found;
  const known = all.map((one) => one.name);
  throw new UsageError(
    `there is no kind "${name}"${guess(name, known) || `; there are ${known.join(", ")}`}`,
  );
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

/** True for an object that is meant. */
export function isSelected(selection: Selection, definition: ResourceDefinition, live: JsonObject): boolean {
  const { tags, team, match, archived } = selection;
  if (archived !== true && isArchived(definition, live)) return false;
  const own = Array.isArray(live.tags) ? live.tags.map(withoutStar) : [];
  if (tags !== undefined && !tags.map(withoutStar).some((tag) => own.includes(tag))) return false;
  if (team !== undefined && live.team !== team && live.teamID !== team) return false;
  return match === undefined || namesOf(definition, live).some((name) => patternOf(match).test(name));
}

function namesOf({ identity }: ResourceDefinition, live: JsonObject): string[] {
  const key = identity.how === "key" ? live[identity.argument] : undefined;
  return [key, live[nameField]].filter((name) => typeof name === "string");
}

function patternOf(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "su");
}
