import type { WireReply } from "../../src/emulator/http/delivery";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { startRelay } from "../support/relay";
import { endless, errorStatus, type Recipe, type Reply, wrongAnswer } from "./recipes";

export interface Given {
  readonly method: string;
  readonly reply: Reply;
}

/** A server in front of a console. It passes requests on, and answers one of them wrongly once it is told to. */
export type Front = Awaited<ReturnType<typeof openFront>>;

/** True for the question which project the key belongs to: whatever it is answered, nothing tells that it is wrong. */
export const isAboutProject = (path: string): boolean => path.endsWith("/project");

/** Opens a front of the console at an address. */
export async function openFront(target: string, key: string) {
  let armed: { readonly recipe: Recipe; left: number; given: Given | undefined } | undefined;
  const { url, close } = await startRelay(target, async (request, ask) => {
    if (armed === undefined || isAboutProject(request.path)) return ask(request);
    const { recipe, given } = armed;
    if (given !== undefined) {
      const page = Number(new URLSearchParams(request.query).get("page"));
      if (recipe.way !== "list without end" || page <= 1) return ask(request);
      return sendable({ ...given.reply, text: JSON.stringify(endless(recipe, { data: [] }, page)) });
    }
    armed.left -= 1;
    if (armed.left >= 0) return ask(request);
    const one = armed;
    const right = isCarriedOut(recipe) ? await ask(request) : nothing;
    const list = request.path.split("/").slice(0, 4).join("/");
    const listed = () => ask({ ...request, method: "GET", path: list, query: "", body: "" });
    const other =
      recipe.way === "another object's answer" ? otherThan(request.path, await listed()) : undefined;
    const reply = wrongAnswer(recipe, { right, other, key });
    one.given = { method: request.method, reply };
    return sendable(reply);
  });
  return {
    url,
    /** So many more requests are answered rightly, then one by the recipe. */
    arm(recipe: Recipe, after: number) {
      armed = { recipe, left: after, given: undefined };
    },
    /** Ends that. @returns the wrong answer, or undefined when it was not asked for. */
    disarm() {
      const given = armed?.given;
      armed = undefined;
      return given;
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
  const id = path.split("/")[4];
  const body: unknown = JSON.parse(list.text || "{}");
  const items = isObject(body) && Array.isArray(body.data) ? (body.data as JsonObject[]) : [];
  const data = items.find((item) => item.id !== id && item.name !== id);
  return data && { status: 200, headers: list.headers, text: JSON.stringify({ message: "ok", data }) };
}
