import { type IncomingMessage, request } from "node:http";
import { serveHttp } from "../support/http-server";

/** What went to a console. */
export interface Traffic {
  /** Method and path of each request, in their order. */
  readonly requests: string[];
  /** Ids in the bodies of writes. */
  ids: number;
  /** The most ids in one body. */
  most: number;
}

/** A door in front of a console that writes down what goes through it. */
export interface Ledger {
  readonly url: string;
  /** What went through since the last call. */
  take(): Traffic;
  close(): Promise<void>;
}

/** Opens such a door on a free port of this machine. */
export async function openLedger(target: string): Promise<Ledger> {
  let traffic = empty();
  const { url: own, close } = await serveHttp((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      enter(traffic, incoming, body);
      const { method, headers, url = "/" } = incoming;
      const onward = request(new URL(url, target), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on("error", () => outgoing.destroy());
      onward.end(body);
    });
  });
  return {
    url: own,
    take() {
      const taken = traffic;
      traffic = empty();
      return taken;
    },
    close,
  };
}

function empty(): Traffic {
  return { requests: [], ids: 0, most: 0 };
}

function enter(traffic: Traffic, { method, url }: IncomingMessage, body: Buffer): void {
  traffic.requests.push(`${method} ${url}`);
  if (body.length === 0) return;
  const { ids } = JSON.parse(body.toString("utf8")) as { ids?: unknown };
  if (!Array.isArray(ids)) return;
  traffic.ids += ids.length;
  traffic.most = Math.max(traffic.most, ids.length);
}
