import { answers, type Deviant, heads, pages, reads, refusal, remembers, replies, sentTo } from "./deviant";

/** Deviations that reads alone find. */
export const shownOtherwise: readonly Deviant[] = [
  answers("caps its pages", "pageSizes: fewer", (request, ask) =>
    ask({ ...request, query: request.query.replace(/limit=\d+/, "limit=2") }),
  ),
  answers("shows the whole list on each page", "pageSizes: more", (request, ask) =>
    sentTo(request, "GET", /\/gates$/) ? ask({ ...request, query: "" }) : ask(request),
  ),
  pages("shows no pagination", "pageTotals: untold", ({ pagination: _, ...body }) => body),
  pages("ends its pages early", "pageTotals: untold", (body, _, page) =>
    page < 2 ? body : { ...body, pagination: { nextPage: null } },
  ),
  pages("orders small pages otherwise", "pageOrder: reordered", (body, limit) =>
    limit >= 5 ? body : { ...body, data: body.data.toReversed() },
  ),
  remembers("shows an object on two pages", "pageOrder: repeated", () => {
    let first: unknown;
    return pages("", "", (body, limit, page) => {
      if (limit >= 5 || body.data.length === 0) return body;
      if (page === 1) [first] = body.data;
      return page === 1 ? body : { ...body, data: [first, ...body.data.slice(1)] };
    }).answering();
  }),
  replies("refuses a page after the last one", "pageEnd: refused", refusal(400), ({ path, query }) =>
    /\/gates\?.*page=[2-9]/.test(`${path}?${query}`),
  ),
  answers("repeats the last page", "pageEnd: repeated", (request, ask) =>
    ask({ ...request, query: request.query.replace(/page=\d+/, "page=1") }),
  ),
  pages("has no message around what it shows", "envelope: bare", ({ message: _, ...body }) => body),
  heads("shows its limits in headers", "limitHeaders: told", { "x-ratelimit-remaining": "99" }),
  heads("has another clock", "clock: far", { date: new Date(Date.now() + 7 * 60_000).toUTCString() }),
  heads("shows no time", "clock: untold", { date: "soon" }),
  reads(
    "writes ids in capitals when they are read alone",
    "listedIds: otherwise (gates)",
    /\/gates\//,
    (gate) => ({ ...gate, id: String(gate.id).toUpperCase() }),
  ),
  reads("shows times in seconds", "shownTimes: seconds", /\/(gates|segments)/, (item) => ({
    ...item,
    createdTime: Math.floor(Number(item.createdTime) / 1000),
  })),
  reads("shows times as texts", "shownTimes: otherwise", /\/gates/, (gate) => ({
    ...gate,
    createdTime: new Date(0).toISOString(),
  })),
  replies("hides the id of the project", "projectId: hidden", refusal(403), ({ path }) =>
    path.endsWith("/project"),
  ),
];
