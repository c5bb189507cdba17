import type { Transport } from "../../provider/client/transport";
import { brokenOff, handOver } from "./delivery";
import type { Ingress } from "./ingress";

/** The console's ingress for code of the same process: no socket, no port, the same answers. */
export function createTransport(ingress: Ingress): Transport {
  return {
    async send({ method, url, headers, body, signal }) {
      signal?.throwIfAborted();
      const lowered = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const receive = async () => {
        const reply = await ingress.receive({ method, target: targetOf(url), headers: lowered, body });
        if (reply === undefined) throw brokenOff();
        return handOver(reply, signal);
      };
      return until(signal, receive());
    },
  };
}

/** Path and query as they were written: parsing the address would resolve encoded dots. */
function targetOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
}

function until<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
