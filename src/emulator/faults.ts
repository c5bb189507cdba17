import { z } from "zod";
import { pathPrefix } from "../client/profile";
import { wordIssues } from "./wording";

/** A fault as it is written in a file. */
const faultSchema = z.strictObject({
  /** Requests of this method only. */
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
  /**
   * Requests of this path only, with or without `/console/v1`: a beginning, or a pattern in which `*` stands for
   * anything but a slash and `**` for anything.
   */
  path: z.string().min(1).optional(),
  /** How many requests meet it; the next ones are fine. */
  times: z.int().min(1),
  /** Answer with this status; the request is not carried out. */
  status: z.int().min(200).max(599).optional(),
  /** Seconds, or a date, for the header `Retry-After`. */
  retryAfter: z.union([z.int().min(0), z.string()]).optional(),
  /** Wait so long first. */
  delayMs: z.int().min(0).max(600_000).optional(),
  /** Break the connection: before the request is carried out, or after it was, so that its answer is lost. */
  reset: z.enum(["before", "after"]).optional(),
  /** Answer with this text, or with this value as JSON; the request is not carried out. */
  body: z.unknown().optional(),
  contentType: z.string().optional(),
});

/** Something that goes wrong on purpose. */
export type Fault = z.infer<typeof faultSchema>;

/** The faults that are still to come. */
export interface FaultPlan {
  /** The fault that this request meets; it is used up by one. Faults are tried in their order. */
  take(method: string, path: string): Fault | undefined;
  add(faults: readonly Fault[]): void;
  clear(): void;
}

/** A plan of faults. Throws when one of them is malformed. */
export function planFaults(faults: readonly Fault[]): FaultPlan {
  let waiting: { fault: Fault; left: number; fits: (path: string) => boolean }[] = [];
  const add = (more: readonly Fault[]): void => {
    const checked = more.map(checkFault);
    for (const fault of checked) waiting.push({ fault, left: fault.times, fits: matcher(fault.path) });
  };
  add(faults);
  return {
    add,
    clear() {
      waiting = [];
    },
    take(method, path) {
      const next = waiting.find(({ fault, fits }) => (fault.method ?? method) === method && fits(path));
      if (next === undefined) return undefined;
      next.left -= 1;
      if (next.left === 0) waiting = waiting.filter((one) => one !== next);
      return next.fault;
    },
  };
}

function checkFault(fault: unknown, index: number): Fault {
  const result = faultSchema.safeParse(fault, { reportInput: true });
  if (result.success) return result.data;
  const findings = wordIssues(result.error.issues, []);
  throw new Error(
    findings.map((one) => `faults[${index}]${dotted(one.property)}: ${one.errorMessage}`).join("; "),
  );
}

const dotted = (property: string): string => (property === "" ? "" : `.${property}`);

function matcher(path: string | undefined): (path: string) => boolean {
  if (path === undefined) return () => true;
  const full = path.startsWith(pathPrefix) ? path : `${pathPrefix}${path.startsWith("/") ? "" : "/"}${path}`;
  if (!full.includes("*")) return (actual) => actual.startsWith(full);
  const parts = full
    .split(/(\*\*|\*)/)
    .map((part) => (part === "**" ? ".*" : part === "*" ? "[^/]*" : escapeText(part)));
  const pattern = new RegExp(`^${parts.join("")}$`);
  return (actual) => pattern.test(actual);
}

function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
