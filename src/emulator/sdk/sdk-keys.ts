import { catalog } from "../../provider/definitions/index";
import { type JsonObject, textsIn } from "../../provider/schema/json";
import { endedKeys, type Store, type World } from "../store/store";

/** Which keys open what. */
export interface KeySettings {
  /** The console, with the keys that it has made. */
  readonly store: Store;
  /** The only server key that it takes, beside those that the console made; undefined: any that is no other kind of key. */
  readonly serverKey?: string | undefined;
  /** Keys of the Console API. */
  readonly consoleKeys: readonly (string | undefined)[];
  readonly needsKey: boolean;
}

/** The side that asks: a server, which gets every rule, or a client, which gets answers. */
export type Asker = "server" | "client";

/** Verdict on a key: the target apps whose objects it shows, or the reason of a refusal. Never repeats the key. */
export type KeyVerdict = { readonly apps: readonly string[] } | { readonly refused: string };

/** A client's key stands in every page that uses it: it opens answers, and rules only where its scopes say so. */
const openings: Readonly<
  Record<Asker, { readonly opens: (made: JsonObject) => boolean; readonly advice: string }>
> = {
  server: {
    opens: ({ type, scopes }) =>
      type === "SERVER" || (type === "CLIENT" && textsIn(scopes).includes("client_download_config_specs")),
    advice:
      "An SDK takes a server key: the one of --server-key, or one of type SERVER that the console has made.",
  },
  client: {
    opens: ({ type }) => type === "CLIENT" || type === "SERVER",
    advice: "A client takes a key that begins with client-, a key of type CLIENT, or a server key.",
  },
};

/** Judges the key of an SDK or of a client. */
export function judgeSdkKey(settings: KeySettings, asker: Asker, key: string | undefined): KeyVerdict {
  const { store } = settings;
  const { opens, advice } = openings[asker];
  if (!settings.needsKey) return { apps: [] };
  if (key === undefined || key === "") return { refused: `No key was sent. ${advice}` };
  if (settings.consoleKeys.includes(key) || key.startsWith("console-"))
    return { refused: `This is a key of the Console API: programs and tools take it. ${advice}` };
  const made = store.transaction("read", (world) => world.get(catalog.key.name, key));
  if (made !== undefined) {
    if (!opens(made)) return { refused: `This is a key of type ${String(made.type)}. ${advice}` };
    if (made.status !== "active") return { refused: "This key was deactivated." };
    return { apps: store.transaction("read", (world) => appsOf(world, made)) };
  }
  if (store.transaction("read", (world) => world.get(endedKeys, key)) !== undefined)
    return { refused: "This key was deleted or rotated." };
  const forClients = key.startsWith("client-");
  if (forClients && asker === "server")
    return { refused: `This is a client key, whose scopes are not known. ${advice}` };
  if (forClients || settings.serverKey === undefined || key === settings.serverKey) return { apps: [] };
  return { refused: `This server key is not known. ${advice}` };
}

/** The names of target apps that a key gives by their ids. */
function appsOf(
  world: World,
  { primaryTargetApp: primary, secondaryTargetApps: secondary }: JsonObject,
): string[] {
  const ids = [...(typeof primary === "string" && primary !== "" ? [primary] : []), ...textsIn(secondary)];
  return ids.map((id) => String(world.get(catalog.targetApp.name, id)?.name ?? id));
}
