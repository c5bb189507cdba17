import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import { isConsoleError } from "../../provider/schema/errors";
import { Refusal } from "../console/rules/outcomes";
import { deliver, refusal, textReply } from "./delivery";
import type { Ingress } from "./ingress";

/** Only this machine reaches the console. */
const host = "127.0.0.1";

/** Most bytes of a body: 100,000 ids of generous length fit several times. */
const mostBytes = 64 * 1024 * 1024;

/** Opens the console's ingress on a port of this machine; 0: any free one. Rejects when the port is taken. */
export async function serve(ingress: Ingress, port: number) {
  const server = createServer((request, response) => {
    void answer(ingress, request, response);
  });
  // Longer than clients keep an idle connection, so that none is closed while a request is on its way.
  server.keepAliveTimeout = 65_000;
  server.listen(port, host);
  // It rejects where the server reports an error instead.
  await once(server, "listening");
  const { port: actual } = server.address() as AddressInfo;
  return {
    /** Address without the path prefix. */
    url: `http://${host}:${actual}`,
    port: actual,
    /** Stops listening, breaks open connections and resolves when all is down. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(ingress: Ingress, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await readBody(request);
    if (body === undefined) return await deliver(response, refusal(413, "Request body too large"));
    const { method = "GET", url: target = "/" } = request;
    // A list is `set-cookie` alone, which nothing here reads.
    const headers = request.headers as Readonly<Record<string, string | undefined>>;
    const reply = await ingress.receive({ method, target, headers, body });
    if (reply === undefined) request.socket.destroy();
    else await deliver(response, reply);
  } catch (error) {
    const known = isConsoleError(error) ? new Refusal(500, error.message) : error;
    if (known instanceof Refusal && !response.headersSent)
      return await deliver(response, textReply(known.answer));
    // The client went away, or its request cannot be read: there is nobody to answer.
    request.socket.destroy();
  }
}

/** The whole body as text, unpacked; undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
  }
  if (bytes > mostBytes) return undefined;
  const whole = await unpacked(Buffer.concat(chunks), encodingOf(request));
  return whole.toString("utf8");
}

/** Client SDKs say in the query that they pack a body: a header of theirs would make a browser ask for leave. */
function encodingOf({ headers, url = "" }: IncomingMessage): string | undefined {
  return headers["content-encoding"] ?? (/[?&]gz=1(&|$)/.test(url) ? "gzip" : undefined);
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decoder>> = {
  identity: (bytes) => Promise.resolve(bytes),
  gzip: promisify(gunzip) as Decoder,
  zstd: promisify(zstdDecompress) as Decoder,
  br: promisify(brotliDecompress) as Decoder,
  deflate: promisify(inflate) as Decoder,
};

/** A body as it was before its sender packed it. Rejects with a 415 for unknown encodings, 400 for broken ones and 413 for too many bytes. */
async function unpacked(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  const decoder = decoders[encoding?.trim().toLowerCase() || "identity"];
  if (decoder === undefined) throw new Refusal(415, `Unsupported content encoding "${String(encoding)}"`);
  return decoder(bytes, { maxOutputLength: mostBytes }).catch((error: { readonly code?: string }) => {
    throw error.code === "ERR_BUFFER_TOO_LARGE"
      ? new Refusal(413, "Request body too large")
      : new Refusal(400, `The request body is no ${String(encoding)}`);
  });
}
