import type { WireReply } from "../../src/emulator/http/delivery";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { startRelay } from "../support/relay";
import type { Recipe } from "./fuzz-recipes";
import { endless, errorStatus, type Reply, wrongAnswer } from "./wrong-answer";

/** A wrong answer that was given. */
export interface Given {
  readonly method: string;
  /** Path below the prefix, without query. */
  readonly path: string;
  readonly reply: Reply;
}

/** A server in front of a console. It passes requests on, and answers wrongly where it is told to. */
export interface Front {
  readonly url: string;
  /** The next requests below this first part of the path meet the recipe, until {@link disarm}. */
  arm(group: string, recipe: Recipe): void;
  /** Ends that. @returns the wrong answer, or undefined when none was asked for. */
  disarm(group: string): Given | undefined;
  close(): Promise<void>;
}

interface Armed {
  readonly recipe: Recipe;
  left: number;
  given: Given | undefined;
}

/** The first part of a path below the prefix: requests about one group of kinds. */
export function groupOf(target: string): string {
  return target.replace(/^\/console\/v1/, "").split(/[/?]/)[1] ?? "";
}

/** Opens a front of the console at an address. */
export async function openFront(target: string, key: string): Promise<Front> {
  const armed = new Map<string, Armed>();
  const { url, close } = await startRelay(target, async (request, ask) => {
    const one = armed.get(groupOf(request.path));
    if (one === undefined) return ask(request);
    const { recipe, given } = one;
    if (given !== undefined) {
      const page = Number(new URLSearchParams(request.query).get("page"));
      const goesOn = recipe.way === "list without end" && page > 1;
      if (!goesOn) return ask(request);
      return sendable({ ...given.reply, text: JSON.stringify(endless(recipe, { data: [] }, page)) });
    }
    one.left -= 1;
    if (one.left >= 0) return ask(request);
    const path = request.path.replace(/^\/console\/v1/, "");
    const right = isCarriedOut(recipe) ? await ask(request) : nothing;
    const listed = () =>
      ask({ ...request, method: "GET", path: `/console/v1/${groupOf(path)}`, query: "", body: "" });
    const other = recipe.way === "another object's answer" ? otherThan(path, await listed()) : undefined;
    const reply = wrongAnswer(recipe, { right, other, key });
    one.given = { method: request.method, path, reply };
    return sendable(reply);
  });
  return {
    url,
    arm: (group, recipe) => void armed.set(group, { recipe, left: recipe.after, given: undefined }),
    disarm(group) {
      const one = armed.get(group);
      armed.delete(group);
      return one?.given;
    },
    close,
  };
}

const nothing: Reply = { status: 200, headers: {}, text: "{}" };

/** A success was carried out, a refusal was not, and of a failure nobody knows. */
function isCarriedOut(recipe: Recipe): boolean {
  const status = errorStatus(recipe);
  if (status === undefined || status < 300) return true;
  return recipe.acted && status >= 500 && status !== 503;
}

/** Without the headers that Node does not send, because HTTP has no such texts, and those that the text decides. */
function sendable(reply: Reply): WireReply {
  const safe = Object.entries(reply.headers).filter(
    ([name, value]) =>
      name !== "content-length" && name !== "transfer-encoding" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  return { ...reply, headers: Object.fromEntries(safe) };
}

/** The answer about another object than that of a path, made of what the console lists. */
function otherThan(path: string, list: Reply): Reply | undefined {
  const [, , id] = path.split("/");
  const body: unknown = JSON.parse(list.text || "{}");
  const items = isObject(body) && Array.isArray(body.data) ? (body.data as JsonObject[]) : [];
  const data = items.find((item) => item.id !== id && item.name !== id);
  return data && { status: 200, headers: list.headers, text: JSON.stringify({ message: "ok", data }) };
}
