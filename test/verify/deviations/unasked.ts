import { type Deviant, heads, isNew, reads, readsNew, refusal, remembers, replies } from "./deviant";

/** The first so many writes are refused with 429. */
const throttles = (console: string, told: RegExp, times: number, headers: Record<string, string>) =>
  remembers(console, told, () => {
    let left = times;
    return (request, ask) => {
      if (request.method === "GET" || left === 0) return ask(request);
      left -= 1;
      const reply = refusal(429, "Too many requests");
      return Promise.resolve({ ...reply, headers: { ...reply.headers, ...headers } });
    };
  });

const forbidden = { ...refusal(200), text: JSON.stringify({ status: 403, message: "Forbidden resource" }) };

/** Deviations that a line of the report tells. */
export const reported: readonly Deviant<RegExp>[] = [
  throttles("tells its delay by a date", /^1 request refused with 429\. Retry-After: date\.$/m, 1, {
    "retry-after": new Date(0).toUTCString(),
  }),
  throttles("tells its delay in seconds", /^2 requests refused with 429\. Retry-After: seconds\.$/m, 2, {
    "retry-after": "0",
  }),
  throttles("tells its delay in words", /^1 request refused with 429\. Retry-After: unreadable\.$/m, 1, {
    "retry-after": "soon",
  }),
  throttles("tells no delay", /^1 request refused with 429\. Retry-After: none\.$/m, 1, {}),
  reads(
    "has types that nobody knows",
    /^\d+ objects read, 5 with values unknown to this version: gates 5\.$/m,
    /\/gates$/,
    (gate) => (isNew(gate) ? gate : { ...gate, type: "EXPERIMENTAL" }),
  ),
  replies(
    "answers 200 with a refusal in the body",
    /^Not available here: metric sources \(403\)\.$/m,
    forbidden,
    ({ path }) => /\/metric_source/.test(path),
  ),
  replies(
    "lacks a route",
    /^Not available here: holdouts \(404\), holdout overrides \(404\)\.$/m,
    refusal(404, "Cannot GET /holdouts"),
    ({ path, method }) => method === "GET" && path.endsWith("/holdouts"),
  ),
];

/** A deviation that no question finds, and what is asked all the same. */
type Unfound = Deviant<{ readonly because: string; readonly only: readonly string[] }>;

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
const members = ["gateMembers", "gatePatches"];

/** Deviations that `verify` does not find. */
export const unfound: readonly Unfound[] = [
  reads(
    "shows null for empty lists",
    { because: "the provider treats both as equal", only: members },
    /\/gates/,
    (gate) =>
      Object.fromEntries(Object.entries(gate).map(([name, one]) => [name, isEmpty(one) ? null : one])),
  ),
  reads(
    "has new members that it fills in by itself",
    { because: "the provider leaves members that it does not know alone", only: members },
    /\/gates/,
    (gate) => ({ ...gate, weather: "fair" }),
  ),
  heads(
    "calls its JSON plain text",
    { because: "the provider reads the text, whatever its type", only: ["gateMembers"] },
    { "content-type": "text/plain" },
  ),
  readsNew(
    "changes what a holdout shows of its share",
    { because: "no question reads that", only: ["holdoutMembers"] },
    /\/holdouts/,
    (one) => ({ ...one, passPercentage: 50 }),
  ),
  reads(
    "shows alerts with another threshold",
    { because: "an alert calls people, so none is made", only: ["gateMembers"] },
    /\/alerts/,
    (alert) => ({ ...alert, threshold: 0 }),
  ),
];
