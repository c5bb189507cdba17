import { promises as timers } from "node:timers";
import type { Fault } from "../../src/emulator";
import { cannedReply, shaped, type WireReply } from "../../src/emulator/http/delivery";
import { planFaults } from "../../src/emulator/http/faults";
import { type RelayedRequest, startRelay } from "./relay";

/** A request that passed, or was to pass. `status`: of its answer; 0 when the connection was broken, undefined while there is none. */
type ProxiedRequest = Omit<RelayedRequest, "headers"> & { status: number | undefined };

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

/**
 * Starts a proxy before a console, with faults of the same form as the emulator's. A stale read it cannot make: it does
 * not know the former state of the console. Throws when a fault is malformed.
 */
export async function startFaultProxy(target: string, faults: readonly Fault[] = []): Promise<FaultProxy> {
  const plan = planFaults(faults);
  const requests: ProxiedRequest[] = [];
  const { url, close } = await startRelay(target, async (request, ask) => {
    const { method, path, query, body } = request;
    const noted: ProxiedRequest = { method, path, query, body, status: undefined };
    requests.push(noted);
    const reply = await answerTo(plan.take(method, path), request, () => ask(request));
    noted.status = reply?.status ?? 0;
    return reply;
  });
  return {
    url,
    requests,
    addFaults(more) {
      if (more.some(({ stale }) => stale)) throw new Error("A proxy cannot answer stale reads.");
      plan.add(more);
    },
    clearFaults: plan.clear,
    close,
  };
}

/** The reply; undefined when the connection is to be broken. */
async function answerTo(
  fault: Fault | undefined,
  request: RelayedRequest,
  ask: () => Promise<WireReply>,
): Promise<WireReply | undefined> {
  if (fault === undefined) return ask();
  if (fault.delayMs !== undefined) await timers.setTimeout(fault.delayMs);
  if (fault.reset === "before") return undefined;
  const canned = cannedReply(fault, keyOf(request));
  if (canned !== undefined && fault.carriedOut !== true) return shaped(canned, fault);
  const first = await ask();
  const second = fault.twice === undefined ? first : await ask();
  if (fault.reset === "after") return undefined;
  return shaped(canned ?? (fault.twice === "first" ? first : second), fault);
}

/** Consoles name the header of the key differently; all end alike. */
function keyOf({ headers }: RelayedRequest): string | undefined {
  const [, key] = Object.entries(headers).find(([name]) => name.endsWith("api-key")) ?? [];
  return key === undefined ? undefined : String(key);
}
