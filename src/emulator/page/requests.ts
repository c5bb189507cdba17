import { createHash, randomUUID } from "node:crypto";
import { evaluatePath, type View, views } from "./address";
import { missingPage } from "./frame";
import { shownKind, shownKinds } from "./kinds";
import { changesPage, eventsPage, listPage } from "./list-page";
import { objectPage } from "./object-page";
import type { PagePorts, PageReply, PageRequest } from "./ports";
import { answerTo } from "./question";
import { ConsoleReader } from "./reading";

/**
 * Answers requests for the page; undefined for a path that is none of its own. It shows no key and asks for none, so questions are
 * answered only to a page of its own; who asks this machine by a foreign name does not come so far (emulator/http/foreign-pages.ts).
 */
export function createConsolePage(
  ports: PagePorts,
): (request: PageRequest) => Promise<PageReply | undefined> {
  const reader = new ConsoleReader(ports);
  // Of this start of the console: another may count its changes from the same beginning.
  const start = randomUUID();
  const etagOf = (target: string): string =>
    `"${createHash("sha256").update([start, target, ports.revision()].join("\n")).digest("base64url")}"`;
  return async (request) => {
    const [path = "", query = ""] = request.target.split("?", 2);
    if (path !== "/" && path !== evaluatePath) return undefined;
    const refusal = refusalOf(request, path);
    if (refusal !== undefined) return refusal;
    if (path === evaluatePath) {
      const { status, text } = await answerTo(ports, request.body);
      return reply(status, text);
    }
    const etag = etagOf(request.target);
    if (request.headers["if-none-match"] === etag) return { ...reply(304, ""), headers: { ...guards, etag } };
    const { status, text } = pageFor(reader, ports, new URLSearchParams(query));
    return reply(status, text, { etag });
  };
}

function refusalOf({ method, headers }: PageRequest, path: string): PageReply | undefined {
  const allowed = path === evaluatePath ? "POST" : "GET";
  if (method !== allowed) return plainReply(405, "This page is to be read only.", { allow: allowed });
  if (path !== evaluatePath) return undefined;
  if (!isFromOwnPage(headers))
    return plainReply(403, "Questions are answered to the page of this console alone.");
  // A form of another page cannot send this type without asking first.
  if (!/^application\/json\b/.test(headers["content-type"] ?? ""))
    return plainReply(415, "A question is JSON.");
  return undefined;
}

/** Browsers say where a request comes from, and no page can say it otherwise; an older one tells the origin alone. */
function isFromOwnPage({ host, origin, "sec-fetch-site": site }: PageRequest["headers"]): boolean {
  return site === undefined ? origin === `http://${host}` : site === "same-origin";
}

function pageFor(reader: ConsoleReader, ports: PagePorts, query: URLSearchParams) {
  const view = query.get("view");
  if (view !== null && isView(view)) return { status: 200, text: viewPages[view](reader) };
  const name = query.get("kind");
  const kind = name === null ? shownKinds[0] : shownKind(name);
  if (kind === undefined) return { status: 404, text: missingPage(reader, "such list") };
  const id = query.get("id");
  if (id === null) {
    const number = Math.max(1, Math.floor(Number(query.get("page") ?? 1)) || 1);
    return { status: 200, text: listPage(reader, kind, (query.get("q") ?? "").trim().slice(0, 200), number) };
  }
  const object = reader.one(kind, id);
  return object === undefined
    ? { status: 404, text: missingPage(reader, `${kind.definition.title} "${id}"`) }
    : { status: 200, text: objectPage(reader, ports, object) };
}

const viewPages: Readonly<Record<View, (reader: ConsoleReader) => string>> = {
  changes: changesPage,
  events: eventsPage,
};

const isView = (name: string): name is View => Object.hasOwn(views, name);

/** Nobody shows it within a page of theirs, keeps it, or guesses what it is. */
const guards = {
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

function reply(status: number, text: string, more: Readonly<Record<string, string>> = {}): PageReply {
  return { status, headers: { ...guards, "content-type": "text/html; charset=utf-8", ...more }, text };
}

function plainReply(status: number, text: string, more: Readonly<Record<string, string>> = {}): PageReply {
  return reply(status, `${text}\n`, { "content-type": "text/plain; charset=utf-8", ...more });
}
