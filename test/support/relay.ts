import { Agent, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { deliver, type WireReply } from "../../src/emulator/http/delivery";
import { type HttpServer, serveHttp } from "./http-server";

/** A request that a relay received. */
export interface RelayedRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/**
 * Makes the answer to a request. `ask` asks the console behind the relay, or another one.
 * @returns undefined where the connection is to be broken.
 */
export type Answering = (
  request: RelayedRequest,
  ask: (request: RelayedRequest, other?: string) => Promise<WireReply>,
) => Promise<WireReply | undefined>;

/** Starts a server of this machine in front of a console. */
export async function startRelay(target: string, answering: Answering): Promise<HttpServer> {
  const agent = new Agent({ keepAlive: true });
  const console = new URL(target);
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    const { method = "GET", url = "/", headers } = incoming;
    const [path = "", query = ""] = url.split(/\?(.*)/s);
    const reply = await answering({ method, path, query, headers, body }, (one, other) =>
      asked(agent, other === undefined ? console : new URL(other), one),
    );
    if (reply === undefined) incoming.socket.destroy();
    else await deliver(response, reply);
  };
  const relay = await serveHttp((incoming, response) => {
    answer(incoming, response).catch(() => incoming.socket.destroy());
  });
  relay.server.keepAliveTimeout = 65_000;
  return {
    ...relay,
    close() {
      agent.destroy();
      return relay.close();
    },
  };
}

/** What the console itself answers. */
async function asked(agent: Agent, console: URL, request: RelayedRequest): Promise<WireReply> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { method, path, query, body } = request;
    // Node sets the length of what it sends.
    const { "content-length": _, "transfer-encoding": __, ...headers } = request.headers;
    const sent = forward(
      {
        ...{ agent, host: console.hostname, port: console.port, method },
        path: query === "" ? path : `${path}?${query}`,
        // Node does not send the body of a DELETE without it.
        headers: { ...headers, host: console.host, "content-length": Buffer.byteLength(body) },
      },
      resolve,
    );
    sent.once("error", reject);
    sent.end(body);
  });
  const { "content-length": _, "transfer-encoding": __, connection: ___, ...headers } = answer.headers;
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(flat) as Record<string, string>,
    text: await text(answer),
  };
}
