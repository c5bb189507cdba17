import { answeringWith, type Deviation, paging, reading, refusal, sentTo, withHeaders } from "./deviant";

/** Deviations that reads alone find. */
export const shownOtherwise: readonly Deviation[] = [
  {
    console: "caps its pages",
    question: "pageSizes",
    answer: "fewer",
    answering: () => (request, ask) =>
      ask({ ...request, query: request.query.replace(/limit=\d+/, "limit=2") }),
  },
  {
    console: "shows the whole list on each page",
    question: "pageSizes",
    answer: "more",
    answering: () => (request, ask) =>
      sentTo(request, "GET", /\/gates$/) ? ask({ ...request, query: "" }) : ask(request),
  },
  {
    console: "shows no pagination",
    question: "pageTotals",
    answer: "untold",
    answering: paging(({ pagination: _, ...body }) => body),
  },
  {
    console: "ends its pages early",
    question: "pageTotals",
    answer: "untold",
    answering: paging((body, _, page) => (page < 2 ? body : { ...body, pagination: { nextPage: null } })),
  },
  {
    console: "orders small pages otherwise",
    question: "pageOrder",
    answer: "reordered",
    answering: paging((body, limit) => (limit >= 5 ? body : { ...body, data: body.data.toReversed() })),
  },
  {
    console: "shows an object on two pages",
    question: "pageOrder",
    answer: "repeated",
    answering: () => {
      let first: unknown;
      return paging((body, limit, page) => {
        if (limit >= 5 || body.data.length === 0) return body;
        if (page === 1) [first] = body.data;
        return page === 1 ? body : { ...body, data: [first, ...body.data.slice(1)] };
      })();
    },
  },
  {
    console: "refuses a page after the last one",
    question: "pageEnd",
    answer: "refused",
    answering: answeringWith(
      ({ path, query }) => path.endsWith("/gates") && /page=[2-9]/.test(query),
      refusal(400),
    ),
  },
  {
    console: "repeats the last page",
    question: "pageEnd",
    answer: "repeated",
    answering: () => (request, ask) =>
      ask({ ...request, query: request.query.replace(/page=\d+/, "page=1") }),
  },
  {
    console: "has no message around what it shows",
    question: "envelope",
    answer: "bare",
    answering: paging(({ message: _, ...body }) => body),
  },
  {
    console: "shows its limits in headers",
    question: "limitHeaders",
    answer: "told",
    answering: withHeaders({ "x-ratelimit-remaining": "99" }),
  },
  {
    console: "has another clock",
    question: "clock",
    answer: "far",
    answering: withHeaders({ date: new Date(Date.now() + 7 * 60_000).toUTCString() }),
  },
  { console: "shows no time", question: "clock", answer: "untold", answering: withHeaders({ date: "soon" }) },
  {
    console: "writes ids in capitals when they are read alone",
    question: "listedIds",
    answer: "otherwise",
    detail: "gates",
    answering: () => reading(/\/gates\//, (gate) => ({ ...gate, id: String(gate.id).toUpperCase() })),
  },
  {
    console: "shows times in seconds",
    question: "shownTimes",
    answer: "seconds",
    answering: () =>
      reading(/\/(gates|segments)/, (item) => ({
        ...item,
        createdTime: Math.floor(Number(item.createdTime) / 1000),
      })),
  },
  {
    console: "shows times as texts",
    question: "shownTimes",
    answer: "otherwise",
    answering: () => reading(/\/gates/, (gate) => ({ ...gate, createdTime: new Date(0).toISOString() })),
  },
  {
    console: "hides the id of the project",
    question: "projectId",
    answer: "hidden",
    answering: answeringWith(({ path }) => path.endsWith("/project"), refusal(403)),
  },
];
