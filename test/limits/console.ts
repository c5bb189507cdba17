import { startEmulator } from "../../src/emulator";
import { observeRequests } from "../../src/emulator/http/ingress";

/** What the console saw of writes. Times are milliseconds since 1970. */
export interface Seen {
  writes: number;
  refused: number;
  failed: number;
  firstAt: number;
  lastAt: number;
}

// A console with its write limits on, in a process of its own. It tells what it saw for each message.

const seen: Seen = { writes: 0, refused: 0, failed: 0, firstAt: 0, lastAt: 0 };
observeRequests(({ method, status }) => {
  if (method === "GET") return;
  seen.writes += 1;
  if (status === 429) seen.refused += 1;
  else if (status < 200 || status >= 300) seen.failed += 1;
  seen.lastAt = Date.now();
  seen.firstAt ||= seen.lastAt;
});

process.on("message", () => process.send?.(seen));
process.on("disconnect", () => process.exit(0));
const gates = Array.from({ length: 20 }, (_, index) => ({ name: `of_somebody_else_${index}` }));
void startEmulator({ rateLimit: true, rateLimitScale: Number(process.argv[2]), seed: { gates } }).then(
  ({ url }) => process.send?.(url),
);
