import { type EmulatorOptions, type RunningEmulator, startEmulator } from "../../src/emulator";
import { httpTransport, type Transport } from "../../src/provider/client/transport";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Method } from "../../src/provider/schema/verbs";
import { testKey } from "../support/in-process";

export { testKey };

/** An object of an answer, with the members that tests reach into. */
export interface Item extends JsonObject {
  readonly id: string;
  readonly baseID: string;
  readonly name: string;
  readonly version: number;
  readonly rules: readonly Item[];
  readonly ids: readonly string[];
}

/** An answer. */
export interface Reply {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: JsonObject;
  /** `data`, as one object and as a list of them. */
  readonly data: Item;
  readonly items: readonly Item[];
}

/** A console, and a plain way to ask it. */
export interface Desk {
  readonly emulator: RunningEmulator;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Asks and fails the test unless the answer is a success; returns its data. */
  must(method: string, path: string, body?: unknown): Promise<Item>;
  /** Asks for what the console refuses; returns the answer as one line: `400 name: Required`, `404 Gate not found.` */
  refused(method: string, path: string, body?: unknown): Promise<string>;
  /** Reads a list and fails the test unless it can be read. */
  list(path: string): Promise<readonly Item[]>;
  close(): Promise<void>;
}

/**
 * Starts a console. Paths are given below `/console/v1`; a body that is text is sent as it is. Only tests of what goes over
 * the wire ask through `overHttp`.
 */
export async function openDesk(options: EmulatorOptions = {}, transport?: Transport): Promise<Desk> {
  const keyHeader = options.profile === "statsig" ? "STATSIG-API-KEY" : "SERVICE-API-KEY";
  return deskOf(await startEmulator(options), { [keyHeader]: options.key ?? testKey }, transport);
}

/** A real socket to the console. */
export const overHttp = httpTransport(8);

/** A plain way to ask a console that runs already. `key`: the header that is sent where a request says none. */
export function deskOf(
  emulator: RunningEmulator,
  key: Record<string, string> = { "SERVICE-API-KEY": testKey },
  transport: Transport = emulator.transport,
): Desk {
  const ask: Desk["ask"] = async (method, path, body, headers = key) => {
    const answer = await transport.send({
      method: method as Method,
      url: `${emulator.url}/console/v1${path}`,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const json = JSON.parse(answer.text) as JsonObject;
    const data = json.data as Item;
    const items = json.data as Item[];
    return { status: answer.status, type: answer.headers["content-type"], body: json, data, items };
  };
  const succeed = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await ask(method, path, body);
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  };
  return {
    emulator,
    ask,
    must: async (...request) => (await succeed(...request)).data,
    refused: async (...request) => refusalText(await ask(...request)),
    list: async (path) => (await succeed("GET", path)).items,
    close: () => emulator.close(),
  };
}

/** An answer that is not one of the two forms of a refusal is shown whole, so that it equals none. */
function refusalText({ status, body }: Reply): string {
  const { status: told, message, errors, ...rest } = body;
  const isWhole = status >= 400 && told === status && Object.keys(rest).length === 0;
  if (isWhole && errors === undefined) return `${status} ${String(message)}`;
  const title = status === 404 ? "Not Found Exception" : "Bad Request Exception";
  if (!isWhole || message !== title || !Array.isArray(errors)) return `${status} ${JSON.stringify(body)}`;
  const findings = errors as { property: string; errorMessage: string }[];
  return `${status} ${findings.map(({ property, errorMessage }) => `${property}: ${errorMessage}`).join("; ")}`;
}

/** A rule that everyone fits. */
export function ruleFor(name: string, passPercentage = 100): JsonObject {
  return { name, passPercentage, conditions: [{ type: "public" }] };
}

/** Has the project demand a review of each change of a gate, config or experiment, or none. */
export async function requireReviews(api: Desk, isRequired = true): Promise<void> {
  await api.must("POST", "/settings/reviews", {
    is_config_review_required: isRequired,
    is_metric_review_required: false,
    is_metric_review_required_on_verified_only: false,
  });
}
