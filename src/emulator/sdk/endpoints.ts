import { isObject, type JsonObject } from "../../core/json";
import { jsonType, type WireReply } from "../delivery";
import { decodedPart } from "../routing";
import type { Store, World } from "../store";
import { documentText, type Form, noUpdates } from "./documents";
import { takeEvents } from "./event-log";
import { createIdListFiles, type IdListFiles } from "./id-list-files";
import { judgeServerKey, type KeySettings } from "./server-keys";
import type { SpecSource } from "./spec-source";

/** A request as the endpoints see it; its body is plain text whatever its encoding was. */
export interface SdkRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
}

/** What the endpoints need. */
export interface SdkSurroundings extends KeySettings {
  readonly store: Store;
  readonly source: SpecSource;
  clock(): number;
  makeId(): string;
  /** Tells the console of an event that an application logged. */
  onNewEvent(world: World, id: string): void;
}

/** Answers an SDK; undefined for a path that is none of an SDK. */
export type SdkEndpoints = (request: SdkRequest) => WireReply | undefined;

/** Path -> what it answers; the key may stand in the path as well as in the header. */
const paths =
  /^\/(v[12])\/(download_config_specs|get_id_lists|log_event|id_lists)(?:\/([^/]+?))?(?:\.json)?$/;

/** Whether a request is one of an SDK and not of the Console API. */
export const isSdkPath = (target: string): boolean => paths.test(pathOf(target));

const pathOf = (target: string): string => target.split("?", 1)[0] ?? "";

interface Asked {
  readonly request: SdkRequest;
  readonly query: URLSearchParams;
  readonly form: Form;
  /** What the path names: a key, or a list. */
  readonly named: string | undefined;
}

/** Makes the endpoints of the server SDKs (console-api/specs.md, section 1). */
export function createSdkEndpoints(surroundings: SdkSurroundings): SdkEndpoints {
  const files = createIdListFiles(surroundings.clock, surroundings.makeId);
  return (request) => {
    const [, form, what, named] = paths.exec(pathOf(request.target)) ?? [];
    if (what === undefined) return undefined;
    const query = new URLSearchParams(request.target.split("?")[1] ?? "");
    const asked = { request, query, form: form as Form, named: decodedPart(named ?? "") };
    // SDKs fetch files without their key, as they would from a store of files elsewhere; a file's id tells nobody else's.
    if (what === "id_lists") return idListFile(files, asked);
    const verdict = surroundings.store.transaction("read", (world) =>
      judgeServerKey(world, surroundings, request.headers["statsig-api-key"] ?? asked.named),
    );
    if ("refused" in verdict) return reply(401, { status: 401, message: verdict.refused });
    if (what === "download_config_specs") return specs(surroundings, asked, verdict.apps);
    if (what === "get_id_lists") return idLists(surroundings, files, asked, verdict.apps);
    return logEvents(surroundings, asked);
  };
}

function specs(
  { source }: SdkSurroundings,
  { request, query, form }: Asked,
  apps: readonly string[],
): WireReply {
  const { sinceTime = query.get("sinceTime") } = jsonIn(request.body);
  const snapshot = source.current(apps);
  if (Number(sinceTime ?? 0) >= snapshot.time) return jsonReply(200, noUpdates);
  return jsonReply(200, documentText(snapshot.body(form), snapshot.time));
}

function idLists(
  { store, source }: SdkSurroundings,
  files: IdListFiles,
  { request }: Asked,
  apps: readonly string[],
): WireReply {
  const { idLists: names } = source.current(apps).specs;
  const base = `http://${request.headers.host ?? "127.0.0.1"}`;
  const url = (name: string, file: string): string =>
    `${base}/v1/id_lists/${encodeURIComponent(name)}?file=${file}`;
  return store.transaction("read", (world) => reply(200, files.index(world, names, url)));
}

/** The bytes from a place on: SDKs fetch what they do not have yet. The text is ASCII, so that a character is a byte. */
function idListFile(files: IdListFiles, { request, query, named }: Asked): WireReply {
  const lines = files.read(named ?? "", query.get("file") ?? "");
  if (lines === undefined) return reply(404, { status: 404, message: "There is no such file of ids." });
  const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (from >= lines.length && lines.length > 0)
    return { status: 416, headers: { "content-range": `bytes */${lines.length}` }, text: "" };
  const headers = {
    "content-type": "text/plain",
    "content-range": `bytes ${from}-${lines.length - 1}/${lines.length}`,
  };
  return { status: from === 0 ? 200 : 206, headers, text: lines.slice(from) };
}

function logEvents({ source, clock, onNewEvent }: SdkSurroundings, { request }: Asked): WireReply {
  const body = jsonIn(request.body);
  source.writeBeside((world) => takeEvents(world, body, clock(), onNewEvent));
  return reply(202, { success: true });
}

function jsonIn(text: string | undefined): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text || "{}");
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const jsonReply = (status: number, text: string): WireReply => ({
  ...{ status, headers: { "content-type": jsonType }, text },
});

const reply = (status: number, body: object): WireReply => jsonReply(status, JSON.stringify(body));
