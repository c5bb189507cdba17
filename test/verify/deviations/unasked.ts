import type { Answering } from "../../support/relay";
import { answeringWith, isNew, reading, readingNew, refusal, withHeaders } from "./deviant";

/** The first so many requests that fit are refused with 429. */
const throttling = (times: number, headers: Readonly<Record<string, string>>) => (): Answering => {
  let left = times;
  return (request, ask) => {
    if (request.method === "GET" || left === 0) return ask(request);
    left -= 1;
    const reply = refusal(429, "Too many requests");
    return Promise.resolve({ ...reply, headers: { ...reply.headers, ...headers } });
  };
};

/** Deviations that a line of the report tells. */
export const reported: readonly {
  readonly console: string;
  readonly line: RegExp;
  readonly answering: () => Answering;
}[] = [
  {
    console: "tells its delay by a date",
    line: /^1 request refused with 429\. Retry-After: date\.$/m,
    answering: throttling(1, { "retry-after": new Date(0).toUTCString() }),
  },
  {
    console: "tells its delay in seconds",
    line: /^2 requests refused with 429\. Retry-After: seconds\.$/m,
    answering: throttling(2, { "retry-after": "0" }),
  },
  {
    console: "tells its delay in words",
    line: /^1 request refused with 429\. Retry-After: unreadable\.$/m,
    answering: throttling(1, { "retry-after": "soon" }),
  },
  {
    console: "tells no delay",
    line: /^1 request refused with 429\. Retry-After: none\.$/m,
    answering: throttling(1, {}),
  },
  {
    console: "has types that nobody knows",
    line: /^\d+ objects read, 5 with values unknown to this version: gates 5\.$/m,
    answering: () => reading(/\/gates$/, (gate) => (isNew(gate) ? gate : { ...gate, type: "EXPERIMENTAL" })),
  },
  {
    console: "answers 200 with a refusal in the body",
    line: /^Not available here: metric sources \(403\)\.$/m,
    answering: answeringWith(({ path }) => /\/metric_source/.test(path), {
      ...refusal(200),
      text: JSON.stringify({ status: 403, message: "Forbidden resource" }),
    }),
  },
  {
    console: "lacks a route",
    line: /^Not available here: holdouts \(404\), holdout overrides \(404\)\.$/m,
    answering: answeringWith(
      ({ path, method }) => method === "GET" && path.endsWith("/holdouts"),
      refusal(404, "Cannot GET /holdouts"),
    ),
  },
];

/** Deviations that `verify` does not find. */
export const unfound: readonly {
  readonly console: string;
  readonly reason: string;
  readonly only: readonly string[];
  readonly answering: () => Answering;
}[] = [
  {
    console: "shows null for empty lists",
    reason: "the provider treats both as equal",
    only: ["gateMembers", "gatePatches"],
    answering: () =>
      reading(/\/gates/, (gate) =>
        Object.fromEntries(
          Object.entries(gate).map(([name, value]) => [
            name,
            Array.isArray(value) && value.length === 0 ? null : value,
          ]),
        ),
      ),
  },
  {
    console: "has new members that it fills in by itself",
    reason: "the provider leaves members that it does not know alone",
    only: ["gateMembers", "gatePatches"],
    answering: () => reading(/\/gates/, (gate) => ({ ...gate, weather: "fair" })),
  },
  {
    console: "calls its JSON plain text",
    reason: "the provider reads the text, whatever its type",
    only: ["gateMembers"],
    answering: withHeaders({ "content-type": "text/plain" }),
  },
  {
    console: "changes what a holdout shows of its share",
    reason: "no question reads that",
    only: ["holdoutMembers"],
    answering: readingNew(/\/holdouts/, (one) => ({ ...one, passPercentage: 50 })),
  },
  {
    console: "shows alerts with another threshold",
    reason: "an alert calls people, so none is made",
    only: ["gateMembers"],
    answering: () => reading(/\/alerts/, (alert) => ({ ...alert, threshold: 0 })),
  },
];
