import type { Passage } from "./console";
import type { Disturbance } from "./history";

/** What becomes of each request: after a kill, none comes through. */
export function passages(disturbance: Disturbance | undefined): (method: string) => Passage {
  if (disturbance === undefined || disturbance.how === "cut") return () => "pass";
  const { how, request, when, write } = disturbance;
  let seen = -1;
  let dead = false;
  return (method) => {
    if (dead) return "killed before";
    if (write && method === "GET") return "pass";
    seen += 1;
    if (how === "refuse") return seen >= request && method !== "GET" ? "refused" : "pass";
    if (seen !== request) return "pass";
    dead = how === "kill";
    return how === "kill" ? `killed ${when}` : `lost ${when}`;
  };
}
