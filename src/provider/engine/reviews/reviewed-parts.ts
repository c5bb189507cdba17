import { stateNames } from "../../decisions/plan";
import { type ResourceDefinition, wireName } from "../../schema/define";
import { equalJson, isObject, type JsonObject, picked, textOf } from "../../schema/json";
import type { Reviews } from "../../schema/reviews";
import { fromWire, toWire } from "../../schema/wire-names";
import { quote } from "../../texts/issue-text";
import type { LiveObject } from "../subject";

/** An object that a request is about. */
type ReviewedObject = Pick<LiveObject, "definition" | "live">;

/** A change that one review takes. */
export interface ReviewedChange {
  readonly slot: string;
  readonly change: JsonObject;
  /** Fields that it changes. */
  readonly names: readonly string[];
}

/** A request, divided into the changes that need reviews and the rest. */
export interface ReviewedParts {
  readonly changes: readonly ReviewedChange[];
  /** The request without them; undefined where nothing is left to send. */
  readonly rest?: { readonly body: unknown };
  /** The rules after the change, where nothing but they changes. */
  readonly rules?: unknown;
  /** The parts that need a review which the API does not have, in words. */
  readonly withoutReview: readonly string[];
}

/** The parts of a request about a live object; undefined where none of them can need a review. */
export function reviewedParts(
  object: ReviewedObject,
  reviews: Reviews,
  routeName: string,
  body: unknown,
): ReviewedParts | undefined {
  const { definition, live } = object;
  const { freeWhile } = reviews;
  const isFree = freeWhile !== undefined && live[freeWhile.field] === freeWhile.is;
  if (routeName === "patch" && isObject(body))
    return isFree ? undefined : partsOfPatch(object, reviews, body);
  const request = reviews.requests[routeName];
  if (request === undefined)
    return isFree ? undefined : { changes: [], withoutReview: [`the request ${quote(routeName)}`] };
  const given = isObject(body) ? body : {};
  const taken = Object.entries(request.takes ?? {}).flatMap(([member, as]) =>
    given[member] === undefined ? [] : [[as, given[member]]],
  );
  const change = { ...request.says, ...Object.fromEntries(taken) };
  const [first = routeName] = Object.keys(request.says);
  const slot = first === "type" ? textOf(request.says.type) : first;
  return { changes: [{ slot, change, names: Object.keys(definition.fields) }], withoutReview: [] };
}

function partsOfPatch(
  object: ReviewedObject,
  { members, free, barred = [] }: Reviews,
  body: JsonObject,
): ReviewedParts | undefined {
  const { definition } = object;
  const changed = Object.keys(body).filter((member) => !isUnchanged(object, member, body[member]));
  const changes = members.flatMap((part): ReviewedChange[] => {
    const taken = Object.entries(part).flatMap(([member, { as, of = (one: unknown) => one }]) => {
      const value = changed.includes(member) ? of(body[member]) : undefined;
      return value === undefined ? [] : [{ member, as, value }];
    });
    const change = Object.fromEntries(taken.map(({ as, value }) => [as, value]));
    const names = taken.flatMap(({ member }) => namesOf(definition, member));
    return taken.length === 0 ? [] : [{ slot: slotOf(part), change, names }];
  });
  const withoutReview = changed
    .filter((member) => barred.includes(member) || (free !== undefined && !free.includes(member)))
    .flatMap((member) => namesOf(definition, member));
  const names = changes.flatMap((change) => change.names);
  if (names.length + withoutReview.length === 0) return undefined;
  const isRulesAlone = names.every((name) => name === "rules") && withoutReview.length === 0;
  const left = Object.keys(body).filter((member) => {
    const [name = member] = namesOf(definition, member);
    const leader = definition.fields[name]?.traits.goesWith;
    return !names.includes(name) && !(leader !== undefined && names.includes(leader));
  });
  return {
    changes,
    withoutReview,
    ...(isRulesAlone ? { rules: fromWire(definition, body).rules } : {}),
    ...(left.some((member) => changed.includes(member)) ? { rest: { body: picked(body, left) } } : {}),
  };
}

/** A member that the API requires in each body is no change. */
function isUnchanged({ definition, live }: ReviewedObject, member: string, value: unknown): boolean {
  const names = namesOf(definition, member).filter((name) => live[name] !== undefined);
  return names.some((name) => equalJson(toWire(definition, { [name]: live[name] })[member], value));
}

function namesOf(definition: ResourceDefinition, member: string): string[] {
  return Object.keys(definition.fields).filter((name) => wireName(definition, name) === member);
}

function slotOf(part: Reviews["members"][number]): string {
  return Object.values(part)[0]?.as ?? "";
}

/** The slot of a review that a change of this field may need; undefined for a field that never needs one. */
export function slotOfField(
  definition: ResourceDefinition,
  { members, free, barred = [] }: Reviews,
  name: string,
): string | undefined {
  const member = wireName(definition, name);
  const part = members.find((one) => member in one);
  if (part !== undefined) return slotOf(part);
  const isHeld = barred.includes(member) || stateNames(definition).includes(name);
  return isHeld || (free !== undefined && !free.includes(member)) ? name : undefined;
}
