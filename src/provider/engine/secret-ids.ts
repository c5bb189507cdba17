import type { RouteClient } from "../client/client";
import { pathParameters } from "../client/route-path";
import { type ConsoleError, invalidArgument } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { idMember, secretOf } from "../schema/object-id";
import { secretDigest } from "../texts/secret-texts";
import { type EngineContext, nameOf, withInput } from "./context";
import type { KindHere, ObjectHere, StoredObject } from "./subject";

/** Address of an object in the console: its id, or the secret that leads to it. @throws ConsoleError where nobody knows it. */
export function addressOf({ context, definition, id }: ObjectHere): string {
  if (secretOf(definition) === undefined) return id;
  const address = context.secretIds.get(id);
  if (address === undefined) throw unknownSecret(nameOf(definition, id));
  return address;
}

/** Learns from a state what leads to its object. */
export function learnSecret({ context, definition, id, state }: StoredObject): void {
  const value = state[secretOf(definition) ?? ""];
  if (typeof value === "string") context.secretIds.set(id, value);
}

/** The id of an object that an answer shows; undefined where the answer does not tell. */
export function idShown({ context, definition }: KindHere, item: JsonObject): string | undefined {
  const { secretIds } = context;
  const shown = item[idMember(definition)];
  if (typeof shown !== "string" || shown === "") return undefined;
  if (secretOf(definition) === undefined) return shown;
  for (const [id, known] of secretIds) if (known === shown) return id;
  // It stays when the secret changes.
  const id = secretDigest(shown);
  secretIds.set(id, shown);
  return id;
}

/** A client that puts secrets in the place of ids, in paths that hold a secret. */
export function withSecretPaths(client: RouteClient, secretIds: EngineContext["secretIds"]): RouteClient {
  return withInput(client, (route, input) => {
    const [name] = route.secretPath === true ? pathParameters(route.path) : [];
    if (name === undefined) return input;
    const secret = secretIds.get(input.params?.[name] ?? "");
    if (secret === undefined) throw unknownSecret(`${route.method} ${route.path}`);
    return { ...input, params: { ...input.params, [name]: secret } };
  });
}

function unknownSecret(what: string): ConsoleError {
  return invalidArgument(
    `${what}: its secret value is not known, and the console finds it by that value alone. Only state holds it, as a secret output, so ` +
      "it can be neither read nor imported by its id. If state has lost it, delete the object in the console, and its resource with " +
      "`pulumi state delete`.",
  );
}
