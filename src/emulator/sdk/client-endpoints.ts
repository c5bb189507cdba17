import { messageOf } from "../../provider/schema/errors";
import { isObject, type JsonObject } from "../../provider/schema/json";
import type { ConsoleRequest } from "../console/console";
import { jsonReply, refusal, textReply, type WireReply } from "../http/delivery";
import type { Ingress } from "../http/ingress";
import { isSdkPath } from "./endpoints";
import { keyOf, pathOf, readSdkBody } from "./requests";
import { judgeSdkKey, type KeySettings } from "./sdk-keys";
import { documentText } from "./spec/documents";
import type { Snapshot, SpecSource } from "./spec/spec-source";

/** Hash by which a client SDK hides names. */
export type NameHash = "none" | "djb2" | "sha256";

/** Answers for one user: name -> answer. A client SDK downloads all of them. */
export interface Evaluations {
  readonly feature_gates: Readonly<Record<string, JsonObject>>;
  readonly dynamic_configs: Readonly<Record<string, JsonObject>>;
  readonly layer_configs: Readonly<Record<string, JsonObject>>;
}

/**
 * Evaluates everything for one user by the service's own SDK, started on a document (`sdkDocuments().v1`), as an object or its JSON
 * text. Rejects with a message for a person.
 */
export type EvaluateForClients = (
  document: string,
  user: JsonObject,
  hash: NameHash,
) => Promise<Evaluations | string>;

/** Ports of the endpoints. */
export interface ClientSurroundings extends KeySettings {
  /** With every list of ids in its documents. */
  readonly source: SpecSource;
  /** Takes, once each, what keeps it from answering. */
  tell(finding: string): void;
  /** Left out: nothing is evaluated, and the answer says so. */
  readonly evaluate?: EvaluateForClients | undefined;
}

/** Answers a client; undefined for a path that is none of a client alone. */
export type ClientEndpoints = (request: ConsoleRequest) => Promise<WireReply | undefined>;

interface Question {
  /** The member of the body that names what is asked for. */
  readonly asks: string;
  readonly among: keyof Evaluations;
  /** The value of what is not there. */
  readonly otherwise: unknown;
}

/** Path -> its question. `siggy` 0.0.4 asks the first two, and `statsig-node` 4 and 5 about what they cannot evaluate themselves. */
const questions: Readonly<Record<string, Question>> = {
  "/v1/check_gate": { asks: "gateName", among: "feature_gates", otherwise: false },
  "/v1/get_config": { asks: "configName", among: "dynamic_configs", otherwise: {} },
  "/v1/get_layer": { asks: "layerName", among: "layer_configs", otherwise: {} },
};
const everything = "/v1/initialize";

/** Makes the endpoints that give clients their answers. */
export function createClientEndpoints(surroundings: ClientSurroundings): ClientEndpoints {
  return async (request) => {
    const path = pathOf(request.target);
    const question = questions[path];
    if (question === undefined && path !== everything) return undefined;
    const { source, evaluate = nobody, tell } = surroundings;
    const verdict = judgeSdkKey(surroundings, "client", keyOf(request));
    if ("refused" in verdict) return refusal(401, verdict.refused);
    const body = readSdkBody(request);
    try {
      const document = textOf(source.current(verdict.apps));
      if (question !== undefined)
        return answerTo(question, body, await evaluate(document, userIn(body), "none"));
      const all = await evaluate(document, userOfClient(request, body), hashOf(body));
      return jsonReply(200, typeof all === "string" ? all : JSON.stringify(all));
    } catch (error) {
      const message = messageOf(error);
      tell(`${path} was not answered: ${message}`);
      return refusal(501, message);
    }
  };
}

const textOf = ({ body, time }: Snapshot): string => documentText(body("v1"), time);

const nobody: EvaluateForClients = async () => {
  throw new Error(
    "nothing evaluates for clients here: `feature-console emulate` does, and so does startEmulator({ evaluateForClients })",
  );
};

const userIn = ({ user }: JsonObject): JsonObject => (isObject(user) ? user : {});

/** A client SDK sends the id of its device beside the user, and its browser says of itself what it is. */
function userOfClient({ headers }: ConsoleRequest, body: JsonObject): JsonObject {
  const user = userIn(body);
  const device = isObject(body.statsigMetadata) ? body.statsigMetadata.stableID : undefined;
  const known = {
    ...(headers["user-agent"] === undefined ? {} : { userAgent: headers["user-agent"] }),
    ...user,
  };
  if (typeof device !== "string") return known;
  return { ...known, customIDs: { stableID: device, ...(isObject(user.customIDs) ? user.customIDs : {}) } };
}

/** Clients from before there was a choice hide names by SHA-256. */
const hashOf = ({ hash }: JsonObject): NameHash => (hash === "none" || hash === "djb2" ? hash : "sha256");

function answerTo(
  { asks, among, otherwise }: Question,
  body: JsonObject,
  found: Evaluations | string,
): WireReply {
  const all = typeof found === "string" ? (JSON.parse(found) as Evaluations) : found;
  const name = String(body[asks] ?? "");
  const { value = otherwise, rule_id = "", group_name = null } = all[among][name] ?? {};
  return textReply({ status: 200, body: { name, value, rule_id, group_name } });
}

/** The same ingress, which answers clients too: pages of this machine may read the answers. Planned faults meet only their events. */
export function withClients(ingress: Ingress, endpoints: ClientEndpoints): Ingress {
  return {
    ...ingress,
    async receive(request) {
      const { method, target, headers } = request;
      const crossOrigin = crossOriginHeaders(headers.origin);
      const isPreflight = method === "OPTIONS" && !target.startsWith("/console/");
      if (isPreflight && crossOrigin !== undefined)
        return { status: 204, headers: { ...crossOrigin, ...preflightHeaders(headers) }, text: "" };
      const own = await endpoints(request);
      const reply = own ?? (await ingress.receive(request));
      if (reply === undefined || (own === undefined && !isSdkPath(target))) return reply;
      return { ...reply, headers: { ...reply.headers, ...crossOrigin } };
    },
  };
}

/** Pages that are served elsewhere do not come so far: `withoutForeignPages` refuses them. */
function crossOriginHeaders(origin: string | undefined): Record<string, string> | undefined {
  return origin === undefined ? undefined : { "access-control-allow-origin": origin, vary: "origin" };
}

const preflightHeaders = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": headers["access-control-request-headers"] ?? "",
});
