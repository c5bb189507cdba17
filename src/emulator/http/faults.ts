import { z } from "zod";
import { pathPrefix } from "../../provider/client/profile";
import { escaped } from "../../provider/texts/secret-texts";
import { wordIssues } from "./wording";

const method = z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]);

const longestMs = 600_000;

/** A fault as it is written in a file. */
const faultSchema = z
  .strictObject({
    /** Requests of this method, or of these methods, only. */
    method: z.union([method, z.array(method).min(1)]).optional(),
    /**
     * Requests of this path only, with or without `/console/v1`: a beginning, or a pattern in which `*` matches
     * anything but a slash and `**` for anything.
     */
    path: z.string().min(1).optional(),
    /** Number of fitting requests that pass first. Those that an earlier fault meets do not count. */
    after: z.int().min(0).optional(),
    /** Number of requests that meet it; the next ones are fine. */
    times: z.int().min(1),
    /** Wait so long first. */
    delayMs: z.int().min(0).max(longestMs).optional(),
    /** Break the connection: before the request is carried out, or after it was, so that its answer is lost. */
    reset: z.enum(["before", "after"]).optional(),
    /** Answer with this status; the request is not carried out. */
    status: z.int().min(200).max(599).optional(),
    /** Seconds, or a date, for the header `Retry-After`. */
    retryAfter: z.union([z.int().min(0), z.string()]).optional(),
    /** Answer with this text, or with this value as JSON; the request is not carried out. */
    body: z.unknown().optional(),
    /** With `status` or `body`: the request is carried out all the same. */
    carriedOut: z.literal(true).optional(),
    /** Of the answer above, or of the console's own. */
    contentType: z.string().optional(),
    /** The request is carried out twice; this answer is given. */
    twice: z.enum(["first", "second"]).optional(),
    /** A read is answered as before the last write. */
    stale: z.literal(true).optional(),
    /** Nothing more comes: no answer at all, or none after the headers and a piece of the body. */
    stall: z.enum(["answer", "body"]).optional(),
    /** The body comes byte by byte with this pause between two. */
    byteEveryMs: z.int().min(1).max(longestMs).optional(),
    /** Half of the body, under a `Content-Length` that is right for the half, or wrong: that of the whole. */
    truncate: z.enum(["right", "wrong"]).optional(),
  })
  .superRefine((fault, { addIssue }) => {
    for (const [member, why] of contradictions(fault))
      addIssue({ code: "custom", path: [member], message: why, input: fault });
  });

/** Members that say nothing, or the contrary of others. */
function contradictions(fault: Readonly<Record<string, unknown>>): [string, string][] {
  const has = (name: string): boolean => fault[name] !== undefined;
  const canned = has("status") || has("body");
  const onlyReads = !has("method") || String(fault.method) === "GET";
  const shapes = ["reset", "stall", "byteEveryMs", "truncate"].filter(has);
  const rules: [string, boolean, string][] = [
    ["carriedOut", has("carriedOut") && !canned, "Goes with 'status' or 'body' only"],
    ["retryAfter", has("retryAfter") && !canned, "Goes with 'status' or 'body' only"],
    ["twice", has("twice") && canned, "Does not go with 'status' or 'body'"],
    ["stale", has("stale") && canned, "Does not go with 'status' or 'body'"],
    ["stale", has("stale") && !onlyReads, "Is for GET only"],
    [shapes[1] ?? "", shapes.length > 1, `Does not go with '${shapes[0]}'`],
  ];
  return rules.flatMap(([member, broken, why]): [string, string][] => (broken ? [[member, why]] : []));
}

/** Something that goes wrong on purpose. */
export type Fault = z.infer<typeof faultSchema>;

/** The faults that are still to come. */
export type FaultPlan = ReturnType<typeof planFaults>;

/** A plan of faults. Throws when one of them is malformed. */
export function planFaults(faults: readonly Fault[]) {
  let waiting: { fault: Fault; pass: number; left: number; fits: (path: string) => boolean }[] = [];
  const add = (more: readonly Fault[]): void => {
    const checked = more.map(checkFault);
    for (const fault of checked)
      waiting.push({ fault, pass: fault.after ?? 0, left: fault.times, fits: matcher(fault.path) });
  };
  add(faults);
  return {
    add,
    clear() {
      waiting = [];
    },
    /** True while a fault of this description is still to come. */
    expects: (description: (fault: Fault) => boolean) => waiting.some(({ fault }) => description(fault)),
    /** The fault that this request meets; it is used up by one. Faults are tried in their order. */
    take(method: string, path: string): Fault | undefined {
      for (const one of waiting) {
        if (!meetsMethod(one.fault, method) || !one.fits(path)) continue;
        if (one.pass > 0) {
          one.pass -= 1;
          continue;
        }
        one.left -= 1;
        if (one.left === 0) waiting = waiting.filter((other) => other !== one);
        return one.fault;
      }
      return undefined;
    },
  };
}

/** A stale read is a fault of reads, also when it does not say so. */
function meetsMethod({ method: wanted, stale }: Fault, actual: string): boolean {
  if (wanted === undefined) return stale === undefined || actual === "GET";
  return typeof wanted === "string" ? wanted === actual : wanted.some((one) => one === actual);
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
    .map((part) => (part === "**" ? ".*" : part === "*" ? "[^/]*" : escaped(part)));
  const pattern = new RegExp(`^${parts.join("")}$`);
  return (actual) => pattern.test(actual);
}
