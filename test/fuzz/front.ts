import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RunningEmulator } from "../../src/emulator";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Method } from "../../src/provider/schema/verbs";
import type { Recipe } from "./recipes";
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

/** Opens a front on a free port of this machine. */
export async function openFront(emulator: RunningEmulator, key: string): Promise<Front> {
  const armed = new Map<string, Armed>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  const pass = async (request: IncomingMessage, target: string, body: string): Promise<Reply> => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const method = (request.method ?? "GET") as Method;
    return emulator.transport.send({
      method,
      url: `${emulator.url}${target}`,
      headers,
      ...(body && { body }),
    });
  };
  const wrong = async (
    one: Armed,
    request: IncomingMessage,
    target: string,
    body: string,
  ): Promise<Reply> => {
    const { recipe } = one;
    const path = target.replace(/^\/console\/v1/, "").split("?")[0] ?? "";
    const right = isCarriedOut(recipe) ? await pass(request, target, body) : nothing;
    const other =
      recipe.way === "another object's answer" ? await otherThan(path, emulator, request) : undefined;
    const reply = wrongAnswer(recipe, { right, other, key });
    one.given = { method: request.method ?? "GET", path, reply };
    return reply;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const target = request.url ?? "/";
    const one = armed.get(groupOf(target));
    const page = Number(new URLSearchParams(target.split("?")[1]).get("page"));
    if (one?.given !== undefined && one.recipe.way === "list without end" && page > 1)
      return send(response, {
        ...one.given.reply,
        text: JSON.stringify(endless(one.recipe, { data: [] }, page)),
      });
    const meets = one !== undefined && one.given === undefined && --one.left < 0;
    send(response, await (meets ? wrong(one, request, target, body) : pass(request, target, body)));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: (group, recipe) => void armed.set(group, { recipe, left: recipe.after, given: undefined }),
    disarm(group) {
      const one = armed.get(group);
      armed.delete(group);
      return one?.given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const nothing: Reply = { status: 200, headers: {}, text: "{}" };

/** A success was carried out, a refusal was not, and of a failure nobody knows. */
function isCarriedOut(recipe: Recipe): boolean {
  const status = errorStatus(recipe);
  if (status === undefined || status < 300) return true;
  return recipe.acted && status >= 500 && status !== 503;
}

function send(response: ServerResponse, { status, headers, text }: Reply): void {
  const body = Buffer.from(text, "utf8");
  const safe = Object.entries(headers).filter(
    ([name]) => name !== "content-length" && name !== "transfer-encoding",
  );
  for (const [name, value] of safe) {
    // Node sends no header that HTTP cannot say.
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) response.setHeader(name, value);
  }
  response.writeHead(status);
  response.end(body);
}

/** What the console would answer about another object in the place of this one. */
async function otherThan(
  path: string,
  emulator: RunningEmulator,
  request: IncomingMessage,
): Promise<Reply | undefined> {
  const [group, id] = path.split("/").slice(1);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const url = `${emulator.url}/console/v1/${group}`;
  const list = await emulator.transport.send({ method: "GET", url, headers });
  const body: unknown = JSON.parse(list.text || "{}");
  const items = isObject(body) && Array.isArray(body.data) ? (body.data as JsonObject[]) : [];
  const other = items.find((item) => item.id !== id && item.name !== id);
  return (
    other && { status: 200, headers: list.headers, text: JSON.stringify({ message: "ok", data: other }) }
  );
}
