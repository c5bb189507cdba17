import { existsSync } from "node:fs";
import type { RouteClient } from "../../provider/client/client";
import { catalog, everyKind } from "../../provider/definitions";
import { defaultEmbeddedPath, embeddedFileIn } from "../../provider/pulumi/runs/console-digest";
import { unverifiedTlsText } from "../../provider/pulumi/setting-problems";
import type { AccountType, ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError, withoutAnswer } from "../../provider/schema/errors";
import { consoleKey } from "../stack/consoles";
import { type Check, type Finding, failed, ok, warning } from "./check";
import type { DoctorContext } from "./context";
import { elsewhereIn, letsGo, otherProject } from "./whose-console";

const newKey =
  "pulumi config set --secret feature-console:apiKey, or FEATURE_CONSOLE_API_KEY, with an active console key of this project";

/** A clock that is off by more cannot tell what a run made from what was there; milliseconds. */
const mostSkewMs = 60_000;

/** Checks of the way to the console and of the key. Nothing here writes. */
export const consoleChecks: readonly Check<DoctorContext>[] = [
  { name: "address", needs: ["settings"], limitMs: 45_000, run: findAddress },
  { name: "clock", needs: ["address"], run: findClock },
  { name: "key", needs: ["address"], run: findKey },
  { name: "permission", needs: ["key"], run: findPermission },
];

const isEmbedded = async (context: DoctorContext): Promise<boolean> =>
  (await context.settings()).settings.profile === "embedded";

async function findAddress(context: DoctorContext): Promise<Finding> {
  const { settings } = await context.settings();
  if (await isEmbedded(context)) {
    const file = settings.embeddedPath ?? defaultEmbeddedPath;
    const isThere = existsSync(embeddedFileIn(context.ports.folder, file));
    return ok(`embedded, in ${file}${isThere ? "" : ", which the first run makes"}`);
  }
  const unverified = unverifiedTlsText(settings.profile, context.ports.environment);
  if (unverified !== undefined) {
    const [what = unverified, ...advice] = unverified.split(". ");
    return failed(what, advice.join(". ").replace(/\.$/, ""));
  }
  const elsewhere = letsGo(context) ? undefined : await elsewhereIn(context);
  if (elsewhere !== undefined) return { ...elsewhere, text: `not asked: ${elsewhere.text}` };
  const first = await context.contact();
  if ("finding" in first) return first.finding;
  const { baseUrl, profile } = await context.resolved();
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
  const { profile } = await context.resolved();
  const client = await context.client();
  try {
    const { id } = await client.item(everyKind.project.routes.get, {});
    const other = await otherProject(context, String(id));
    if (other !== undefined) return other;
    return ok(`accepted, for project ${String(id)}${await accountText(client)}`);
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

/** Which kinds the account may lack, as the end of a line; empty where the key may not ask, or the console does not tell. */
async function accountText(client: RouteClient): Promise<string> {
  const { get } = everyKind.company.routes;
  const account = await client.item(get, {}).catch(withoutAnswer(undefined));
  if (typeof account?.isWarehouseNative !== "boolean") return "";
  const [own, other]: AccountType[] = account.isWarehouseNative
    ? ["warehouse-native", "hosted"]
    : ["hosted", "warehouse-native"];
  const lacking = Object.values<ResourceDefinition>(catalog).filter((one) => one.account === other);
  const names = lacking.map(({ kind }) => kind).sort();
  return `; its account ${String(account.companyName)} is ${own}: ${names.join(", ")} may need a ${other} one`;
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
