import type { Transport } from "../../src/provider/client/transport";

/** Sends by another transport; of a write no answer ever comes, as to a run that is killed then. `sent`: once there was one. */
export function killedAfterSend(inner: Transport): {
  readonly transport: Transport;
  readonly sent: Promise<void>;
} {
  let tell = () => {};
  const sent = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return {
    sent,
    transport: {
      async send(request) {
        const answer = await inner.send(request);
        if (request.method === "GET") return answer;
        tell();
        return new Promise(() => {});
      },
    },
  };
}
