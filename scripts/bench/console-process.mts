import { observeRequests } from "../../src/emulator/http/ingress.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import type { ConsoleCommand, Requests } from "./console.ts";

// The console of a benchmark, in a process of its own, told what to do by the one that measures.

const none: Requests = { reads: 0, writes: 0 };
let counted = { ...none };
observeRequests(({ method }) => {
  counted[method === "GET" ? "reads" : "writes"] += 1;
});

const latencyMs = Number(process.argv[2]);
const everyRequest = { times: Number.MAX_SAFE_INTEGER, delayMs: latencyMs };
const emulator = await startEmulator({ faults: latencyMs > 0 ? [everyRequest] : [] });

process.on("message", (command: ConsoleCommand) => {
  if (command === "empty") emulator.reset();
  process.send?.(counted);
  counted = { ...none };
});
process.on("disconnect", () => process.exit(0));
process.send?.(emulator.url);
