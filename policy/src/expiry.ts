import { UNKNOWN } from "pulumi-feature-console/facts";
import { tagsOf } from "./parameters";
import type { DeclaredObject, Parameter } from "./rule";

/** What rules about expiry need to know. */
export interface ExpiryParameters {
  readonly prefix: string;
  readonly kinds: readonly string[];
}

/** The parameters that rules about expiry share. */
export const expiryParameters: { readonly [Name in keyof ExpiryParameters]: Parameter } = {
  prefix: { type: "string", description: "The part of the tag before the day.", default: "expires-" },
  kinds: {
    type: "array",
    items: { type: "string" },
    description: "Resource types this applies to.",
    default: ["gate"],
  },
};

/** True for a temporary object of the kinds that matter. What is not known yet counts as permanent. */
export function isTemporary({ kind, args }: DeclaredObject, { kinds }: ExpiryParameters): boolean {
  return kinds.includes(kind.name) && kind.isTemporary(args) === true;
}

/** The days that its tags say. */
export function expiriesOf(object: DeclaredObject, { prefix }: ExpiryParameters): string[] {
  return tagsOf(object)
    .filter(
      (tag) =>
        tag !== UNKNOWN && tag.startsWith(prefix) && /^\d{4}-\d\d-\d\d$/.test(tag.slice(prefix.length)),
    )
    .map((tag) => tag.slice(prefix.length));
}
