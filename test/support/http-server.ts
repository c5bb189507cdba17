import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server on a free port of this machine. */
export interface HttpServer {
  readonly url: string;
  readonly server: Server;
  /** Ends it, and every connection to it. */
  close(): Promise<void>;
}

/** Starts a server that answers with a function. */
export async function serveHttp(answer: RequestListener): Promise<HttpServer> {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
