import { type ConsoleError, changeRefused } from "../schema/errors";
import { projectMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";
import { type EngineContext, elsewhereText, isElsewhere } from "./context";

/** Members of a context that a comparison needs. */
type Here = Pick<EngineContext, "client" | "console">;

/** Console of a state compared with the one that the settings of a run lead to. */
export type Comparison =
  | { readonly how: "same" }
  /** State does not name the project, as one of an earlier version, or nobody has asked for this one. */
  | { readonly how: "unknown" }
  /** State names the project, and the key may not read which one it leads to. */
  | { readonly how: "unread" }
  /** `text`: what to tell about the object. */
  | { readonly how: "other"; readonly text: string };

/**
 * Compares the console of a state, which is its address and its project, with that of this run. Asks for the project at most once a
 * run, and only at the address of the state; `asks: false`: not at all. @throws ConsoleError for an answer that may come another time.
 */
export async function compareConsoles(
  { client, console }: Here,
  object: string,
  state: JsonObject,
  { asks = true }: { readonly asks?: boolean } = {},
): Promise<Comparison> {
  if (isElsewhere(console, state)) return { how: "other", text: elsewhereText(object) };
  const stored = state[projectMember];
  if (typeof stored !== "string") return { how: "unknown" };
  const here = asks ? await client.project() : client.project.known();
  if (here === undefined) return { how: asks ? "unread" : "unknown" };
  return here === stored ? { how: "same" } : { how: "other", text: otherProjectText(object, stored, here) };
}

/** Refuses an object that nothing tells from one of another project with the same id. `project`: the one that state names. */
export function untoldObject(object: string, { [projectMember]: project }: JsonObject): ConsoleError {
  return changeRefused(
    `${object} is in project ${String(project)} of the console. This key may not read to which project it leads, and the object shows neither when ` +
      `nor by whom it was created: nothing was sent. Allow the key to read its project, or set the key of ${String(project)} again.`,
  );
}

/** Advice about an object of another project of the console. */
function otherProjectText(object: string, stored: string, here: string): string {
  return (
    `${object} is in project ${stored} of the console, and the settings lead to project ${here} (feature-console:apiKey, embeddedPath). ` +
    `Set the key of ${stored} again, or use a stack of its own for each project. To make the objects of this stack anew in ${here} and ` +
    `leave those of ${stored} as they are, set FEATURE_CONSOLE_MOVE=1 for one run.`
  );
}
