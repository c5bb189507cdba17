import { isObject } from "../../../provider/schema/json";
import { hiddenValue, type SecretChange } from "../../../provider/words";
import { isWithin } from "../../stack/preview";

/** Names that Pulumi writes into a path as they are. */
const plainName = /^[A-Za-z_$][\w$]*$/;

/**
 * Finds changes of secrets in an argument. They look alike before and after, but Pulumi compares the values: `changedPaths`
 * are the places at which it sees a change, such as `defaultValue.token`. Nothing follows from places that it does not name.
 */
export function secretChange(
  argument: string,
  values: readonly unknown[],
  changedPaths: readonly string[],
): SecretChange {
  const changed = changedPaths.filter((path) => isWithin(path, argument));
  const secrets = values.flatMap((value) => hiddenPlaces(value, argument));
  const known = secrets.filter((secret) => secret !== undefined);
  const places = known.filter((secret) => changed.some((path) => isWithin(path, secret)));
  if (places.length > 0)
    return { what: "changes", places: [...new Set(places)].map((one) => one.slice(argument.length + 1)) };
  const isTold =
    changed.length > 0 &&
    known.length === secrets.length &&
    known.every((secret) => changed.every((path) => !isWithin(secret, path)));
  return { what: isTold ? "stays" : "unknown", places: [] };
}

/** Places of secrets as Pulumi writes them; undefined for one whose name it may write in another way. */
function hiddenPlaces(value: unknown, place: string): (string | undefined)[] {
  if (value === hiddenValue) return [place];
  if (Array.isArray(value)) return value.flatMap((one, at) => hiddenPlaces(one, `${place}[${at}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const places = hiddenPlaces(inner, `${place}.${name}`);
    return plainName.test(name) ? places : places.map(() => undefined);
  });
}
