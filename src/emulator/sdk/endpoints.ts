import type { ConsoleRequest } from "../console/console";
import type { WireReply } from "../http/delivery";
import { decodedPart } from "../http/routing";
import type { Store, World } from "../store/store";
import { takeEvents } from "./event-log";
import { createIdListFiles, type IdListFiles } from "./id-list-files";
import { jsonReply, keyOf, pathOf, queryOf, readSdkBody, refusal, reply } from "./requests";
import { type Asker, judgeSdkKey, type KeySettings } from "./sdk-keys";
import { documentText, type Form, noUpdates } from "./spec/documents";
import type { SpecSource } from "./spec/spec-source";

/** Ports of the endpoints. */
export interface SdkSurroundings extends KeySettings {
  readonly store: Store;
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

interface Asked {
  readonly request: ConsoleRequest;
  readonly query: URLSearchParams;
  readonly form: Form;
  /** The last part of the path: a key, or a list. */
  readonly named: string | undefined;
}

/** Endpoints by the last name of their path. Clients log events too, under either name. */
const doors: Readonly<Record<string, Door>> = {
  download_config_specs: { asker: "server", answer: specs },
  get_id_lists: { asker: "server", answer: idLists },
  log_event: { asker: "client", answer: logEvents },
  rgstr: { asker: "client", answer: logEvents },
};

interface Door {
  readonly asker: Asker;
  answer(within: Within, asked: Asked, apps: readonly string[]): WireReply;
}

interface Within extends SdkSurroundings {
  readonly files: IdListFiles;
}

/** Makes the endpoints of the server SDKs (console-api/specs.md, section 1). */
export function createSdkEndpoints(surroundings: SdkSurroundings): SdkEndpoints {
  const within = { ...surroundings, files: createIdListFiles(surroundings.clock, surroundings.makeId) };
  return (request) => {
    const [, form, what, named] = paths.exec(pathOf(request.target)) ?? [];
    if (what === undefined) return undefined;
    const query = queryOf(request);
    const asked = { request, query, form: form as Form, named: decodedPart(named ?? "") };
    const door = doors[what];
    // SDKs fetch files without their key, as they would from a store of files elsewhere; a file's id tells nobody else's.
    if (door === undefined) return idListFile(within.files, asked);
    const key = keyOf(request) ?? asked.named;
    const verdict = surroundings.store.transaction("read", (world) =>
      judgeSdkKey(world, surroundings, door.asker, key),
    );
    return "refused" in verdict ? refusal(401, verdict.refused) : door.answer(within, asked, verdict.apps);
  };
}

function specs({ source }: Within, { request, query, form }: Asked, apps: readonly string[]): WireReply {
  const { sinceTime = query.get("sinceTime") } = readSdkBody(request);
  const snapshot = source.current(apps);
  if (Number(sinceTime ?? 0) >= snapshot.time) return jsonReply(200, noUpdates);
  return jsonReply(200, documentText(snapshot.body(form), snapshot.time));
}

function idLists({ store, source, files }: Within, { request }: Asked, apps: readonly string[]): WireReply {
  const { idLists: names } = source.current(apps).specs;
  const base = `http://${request.headers.host ?? "127.0.0.1"}`;
  const url = (name: string, file: string): string =>
    `${base}/v1/id_lists/${encodeURIComponent(name)}?file=${file}`;
  return store.transaction("read", (world) => reply(200, files.index(world, names, url)));
}

/** The bytes from a place on: SDKs fetch what they do not have yet. The text is ASCII, so that a character is a byte. */
function idListFile(files: IdListFiles, { request, query, named }: Asked): WireReply {
  const lines = files.read(named ?? "", query.get("file") ?? "");
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

function logEvents({ source, clock, onNewEvent }: Within, { request }: Asked): WireReply {
  const body = readSdkBody(request);
  source.writeBeside((world) => takeEvents(world, body, clock(), onNewEvent));
  return reply(202, { success: true });
}
