import {
  Agent,
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { promises as timers } from "node:timers";
import type { Fault } from "../../src/emulator";
import { cannedReply, deliver, shaped, type WireReply } from "../../src/emulator/http/delivery";
import { type FaultPlan, planFaults } from "../../src/emulator/http/faults";

/** A request that passed, or was to pass, without its headers. */
export interface ProxiedRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** Status of the answer that was given; 0 when the connection was broken, undefined while there is none. */
  status: number | undefined;
}

/** An HTTP proxy on this machine in front of any console. */
export interface FaultProxy {
  /** Address without the path prefix. */
  readonly url: string;
  /** Every request received, oldest first; noted as soon as its body is there. */
  readonly requests: readonly ProxiedRequest[];
  addFaults(faults: readonly Fault[]): void;
  /** Forgets the faults that are still to come. */
  clearFaults(): void;
  close(): Promise<void>;
}

/** What a proxy is made of. */
interface Relay {
  readonly target: URL;
  readonly plan: FaultPlan;
  readonly agent: Agent;
  readonly seen: (request: ProxiedRequest) => void;
}

/**
 * Starts a proxy before a console, with faults of the same form as the emulator's. A stale read it cannot make: it does
 * not know the former state of the console. Throws when a fault is malformed.
 */
export async function startFaultProxy(target: string, faults: readonly Fault[] = []): Promise<FaultProxy> {
  const plan = planFaults(faults);
  const agent = new Agent({ keepAlive: true });
  const requests: ProxiedRequest[] = [];
  const seen = (request: ProxiedRequest): void => {
    requests.push(request);
  };
  const relay: Relay = { target: new URL(target), plan, agent, seen };
  const server = createServer((request, response) => {
    void pass(relay, request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    addFaults(more) {
      if (more.some(({ stale }) => stale)) throw new Error("A proxy cannot answer stale reads.");
      plan.add(more);
    },
    clearFaults: plan.clear,
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function pass(relay: Relay, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await textOf(request);
  const { method = "GET", url = "/" } = request;
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  const noted: ProxiedRequest = { method, path, query, body, status: undefined };
  relay.seen(noted);
  const reply = await answerTo(relay, relay.plan.take(method, path), request, body);
  noted.status = reply?.status ?? 0;
  if (reply === undefined) request.socket.destroy();
  else await deliver(response, reply);
}

/** The reply; undefined when the connection is to be broken. */
async function answerTo(
  relay: Relay,
  fault: Fault | undefined,
  request: IncomingMessage,
  body: string,
): Promise<WireReply | undefined> {
  if (fault === undefined) return relayed(relay, request, body);
  if (fault.delayMs !== undefined) await timers.setTimeout(fault.delayMs);
  if (fault.reset === "before") return undefined;
  const canned = cannedReply(fault, keyOf(request));
  if (canned !== undefined && fault.carriedOut !== true) return shaped(canned, fault);
  const first = await relayed(relay, request, body);
  const second = fault.twice === undefined ? first : await relayed(relay, request, body);
  if (fault.reset === "after") return undefined;
  return shaped(canned ?? (fault.twice === "first" ? first : second), fault);
}

/** Asks the console itself. */
async function relayed({ target, agent }: Relay, request: IncomingMessage, body: string): Promise<WireReply> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { method = "GET", url: path = "/" } = request;
    const headers = { ...request.headers, host: target.host };
    const sent = forward({ agent, host: target.hostname, port: target.port, method, path, headers }, resolve);
    sent.once("error", reject);
    sent.end(body);
  });
  const { "content-length": _, "transfer-encoding": __, connection: ___, ...headers } = answer.headers;
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(flat) as Record<string, string>,
    text: await textOf(answer),
  };
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Consoles name the header of the key differently; all end alike. */
function keyOf(request: IncomingMessage): string | undefined {
  const [, key] = Object.entries(request.headers).find(([name]) => name.endsWith("api-key")) ?? [];
  return key === undefined ? undefined : String(key);
}
