import { acceptedFields, inputNames, type ObjectDefinition } from "../../src/provider/schema/define";
import type { Route } from "../../src/provider/schema/verbs";
import { type Slip, unknownName } from "./slip";

/** What is wrong with routes. */
export function routeSlips(definition: ObjectDefinition): Slip[] {
  const addresses = Object.values(definition.routes).map(addressOf);
  return Object.entries(definition.routes).flatMap(([name, route]) => {
    const path = `routes.${name}`;
    const address = addressOf(route);
    const twice = addresses.filter((other) => other === address).length > 1;
    return [
      ...(twice ? [{ path, message: `another route is ${address} too` }] : []),
      ...bodySlips(path, definition, route),
    ];
  });
}

function addressOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** A body is made of fields that a program may set: outputs in its lists would be sent or left out for nothing. */
function bodySlips(path: string, definition: ObjectDefinition, route: Route): Slip[] {
  const { body } = route;
  if (body === undefined || "schema" in body) return [];
  const inputs = inputNames(definition);
  const accepted = acceptedFields(definition, route);
  return [
    ...(body.except ?? []).flatMap((name) => unknownName(`${path}.body.except`, name, inputs, "argument")),
    ...(body.refuses ?? []).flatMap((name) => unknownName(`${path}.body.refuses`, name, inputs, "argument")),
    ...(body.requires ?? []).flatMap((name) =>
      unknownName(`${path}.body.requires`, name, accepted, "field of the body"),
    ),
    ...Object.keys(body.otherForm ?? {}).flatMap((name) =>
      unknownName(`${path}.body.otherForm`, name, inputs, "argument"),
    ),
  ];
}
