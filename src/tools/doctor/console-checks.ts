import { existsSync } from "node:fs";
import path from "node:path";
import { type ClientSettings, resolveSettings } from "../../provider/client/settings";
import { catalog, everyKind } from "../../provider/definitions";
import { defaultEmbeddedPath } from "../../provider/pulumi/runs/console-digest";
import type { AccountType, ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError } from "../../provider/schema/errors";
import { consoleKey } from "../stack/console-key";
import { type Check, type Finding, failed, ok, warning } from "./check";
import type { DoctorContext } from "./context";

const newKey =
  "pulumi config set --secret feature-console:apiKey, or FEATURE_CONSOLE_API_KEY, with an active console key of this project";

/** A clock that is off by more cannot tell what a run made from what was there; milliseconds. */
const mostSkewMs = 60_000;

/** Whether the console can be reached and takes the key. Nothing here writes. */
export const consoleChecks: readonly Check<DoctorContext>[] = [
  { name: "address", needs: ["settings"], limitMs: 15_000, run: findAddress },
  { name: "clock", needs: ["address"], run: findClock },
  { name: "key", needs: ["address"], run: findKey },
  { name: "permission", needs: ["key"], run: findPermission },
  { name: "account", needs: ["key"], run: findAccount },
];

const isEmbedded = async (context: DoctorContext): Promise<boolean> =>
  (await context.settings()).settings.profile === "embedded";

async function findAddress(context: DoctorContext): Promise<Finding> {
  const { settings } = await context.settings();
  if (await isEmbedded(context)) {
    const file = settings.embeddedPath ?? defaultEmbeddedPath;
    const isThere = existsSync(path.resolve(context.ports.folder, file));
    return ok(`embedded, in ${file}${isThere ? "" : ", which the first run makes"}`);
  }
  const first = await context.contact();
  if ("finding" in first) return first.finding;
  const { baseUrl, profile } = resolveSettings(settings as ClientSettings);
  const versions = Object.entries(profile.headers).map(([name, value]) => `, ${name} ${value}`);
  return ok(`${baseUrl} answers${versions.join("")}`);
}

async function findClock(context: DoctorContext): Promise<Finding> {
  if (await isEmbedded(context)) return ok("the console has that of this machine");
  const first = await context.contact();
  const shown = "answer" in first ? Date.parse(first.answer.headers.date ?? "") : Number.NaN;
  if (!Number.isFinite(shown)) return ok("the console does not return the time");
  const skewMs = shown - context.ports.now();
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= mostSkewMs) return ok(`${seconds} s from that of the console`);
  const direction = skewMs > 0 ? "behind" : "ahead of";
  return warning(
    `${seconds} s ${direction} that of the console`,
    "set the clock of this machine: timedatectl set-ntp true",
  );
}

async function findKey(context: DoctorContext): Promise<Finding> {
  if (await isEmbedded(context)) return ok("none is needed");
  const { settings } = await context.settings();
  const { profile } = resolveSettings(settings as ClientSettings);
  const client = await context.client();
  try {
    const { id } = await client.item(everyKind.project.routes.get, {});
    return ok(`accepted, for project ${String(id)}`);
  } catch (error) {
    if (isConsoleError(error, "forbidden")) return ok("accepted; it may not read the project's id");
    if (!isConsoleError(error, "unauthorized")) throw error;
    return failed(
      `the console refuses it with ${error.status} (profile ${profile.name}, sent as ${profile.keyHeader})`,
      newKey,
    );
  }
}

async function findPermission(context: DoctorContext): Promise<Finding> {
  if (await isEmbedded(context)) return ok("read and write");
  const { settings } = await context.settings();
  const key = await consoleKey(await context.client(), settings.apiKey);
  if (key === undefined) return unknownPermission(context);
  const { type, scopes, canWrite } = key;
  const text = `${type} key, ${scopes.length === 0 ? "no scopes" : scopes.join(", ")}`;
  if (type !== "CONSOLE") return failed(`${text}: the console takes console keys alone`, newKey);
  if (canWrite) return ok(text);
  const advice = `for pulumi up: ${newKey}`;
  if (context.ports.purpose === "up")
    return failed(`${text}: it may not write, and "pulumi up" does`, advice);
  return warning(`${text}: it may read alone, which does for preview, drift, import and report`, advice);
}

/** Which kinds the account lacks. A key that may not ask, or a console that does not tell, is no fault. */
async function findAccount(context: DoctorContext): Promise<Finding> {
  if (await isEmbedded(context)) return ok("the console on this machine has every kind");
  const client = await context.client();
  try {
    const { companyName, isWarehouseNative } = await client.item(everyKind.company.routes.get, {});
    if (typeof isWarehouseNative !== "boolean") return ok("the console does not show which kinds it has");
    const own: AccountType = isWarehouseNative ? "warehouse-native" : "hosted";
    const lacking = Object.values<ResourceDefinition>(catalog).filter(
      ({ account }) => account !== undefined && account !== own,
    );
    const names = lacking.map(({ kind }) => kind).sort();
    return ok(`${String(companyName)}, ${own}: it lacks ${names.join(", ")}, which other accounts have`);
  } catch (error) {
    if (isConsoleError(error, "forbidden")) return ok("not known: the key may not read the account");
    if (isConsoleError(error, "not-found")) return ok("not known: the console does not show it");
    throw error;
  }
}

/** No request but a write shows whether a key may write, and nothing here writes. */
function unknownPermission({ ports: { purpose } }: DoctorContext): Finding {
  const text = "not known: the key may not read the list of keys, or the list hides their values";
  if (purpose === "preview") return ok(text);
  return warning(
    text,
    "look at the scopes of the key in the console (omni_read_write or personal_read_write writes), or add can_access_keys",
  );
}
