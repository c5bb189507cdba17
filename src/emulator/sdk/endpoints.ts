import type { ConsoleRequest } from "../console/console";
import { jsonReply, refusal, textReply, type WireReply } from "../http/delivery";
import { decodedPart } from "../http/routing";
import type { World } from "../store/store";
import { takeEvents } from "./event-log";
import { createIdListFiles, type IdListFiles } from "./id-list-files";
import { keyOf, pathOf, queryOf, readSdkBody } from "./requests";
import { judgeSdkKey, type KeySettings } from "./sdk-keys";
import { documentText, type Form, noUpdates } from "./spec/documents";
import type { Snapshot, SpecSource } from "./spec/spec-source";

/** Ports of the endpoints. */
export interface SdkSurroundings extends KeySettings {
  readonly source: SpecSource;
  clock(): number;
  makeId(): string;
  /** Tells the console of an event that an application logged. */
  onNewEvent(world: World, id: string): void;
}

/** Answers an SDK; undefined for a path that is none of an SDK. */
export type SdkEndpoints = (request: ConsoleRequest) => WireReply | undefined;

/** Path -> what it answers; the key may stand in the path as well as in the header. `rgstr`: how clients log events. */
const paths =
  /^\/(v[12])\/(download_config_specs|get_id_lists|log_event|rgstr|id_lists)(?:\/([^/]+?))?(?:\.json)?$/;

/** True for a request of an SDK, false for one of the Console API. */
export const isSdkPath = (target: string): boolean => paths.test(pathOf(target));

/** Paths of clients too: both sides log events, under either name. */
const ofClients: readonly string[] = ["log_event", "rgstr"];

/** Makes the endpoints of the server SDKs (console-api/specs.md, section 1). */
export function createSdkEndpoints(surroundings: SdkSurroundings): SdkEndpoints {
  const { store, source, clock, makeId, onNewEvent } = surroundings;
  const files = createIdListFiles(clock, makeId);
  return (request) => {
    const [, form, what, last = ""] = paths.exec(pathOf(request.target)) ?? [];
    if (what === undefined) return undefined;
    const named = decodedPart(last);
    // SDKs fetch files without their key, as they would from a store of files elsewhere; a file's id tells nobody else's.
    if (what === "id_lists") return idListFile(files, request, named ?? "");
    const asker = ofClients.includes(what) ? "client" : "server";
    const verdict = judgeSdkKey(surroundings, asker, keyOf(request) ?? named);
    if ("refused" in verdict) return refusal(401, verdict.refused);
    if (what === "download_config_specs")
      return documentFor(request, source.current(verdict.apps), form as Form);
    if (what === "get_id_lists") {
      const { idLists } = source.current(verdict.apps).specs;
      const server = `http://${request.headers.host ?? "127.0.0.1"}/v1/id_lists`;
      const url = (name: string, file: string) => `${server}/${encodeURIComponent(name)}?file=${file}`;
      const body = store.transaction("read", (world) => files.index(world, idLists, url));
      return textReply({ status: 200, body });
    }
    source.writeBeside((world) => takeEvents(world, readSdkBody(request), clock(), onNewEvent));
    return textReply({ status: 202, body: { success: true } });
  };
}

function documentFor(request: ConsoleRequest, { time, body }: Snapshot, form: Form): WireReply {
  const { sinceTime = queryOf(request).get("sinceTime") } = readSdkBody(request);
  return jsonReply(200, Number(sinceTime ?? 0) >= time ? noUpdates : documentText(body(form), time));
}

/** The bytes from a place on: SDKs fetch what they do not have yet. The text is ASCII, so that a character is a byte. */
function idListFile(files: IdListFiles, request: ConsoleRequest, name: string): WireReply {
  const lines = files.read(name, queryOf(request).get("file") ?? "");
  if (lines === undefined) return refusal(404, "There is no such file of ids.");
  const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (from >= lines.length && lines.length > 0)
    return { status: 416, headers: { "content-range": `bytes */${lines.length}` }, text: "" };
  const headers = {
    "content-type": "text/plain",
    "content-range": `bytes ${from}-${lines.length - 1}/${lines.length}`,
  };
  return { status: from === 0 ? 200 : 206, headers, text: lines.slice(from) };
}
