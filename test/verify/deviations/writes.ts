import type { JsonObject } from "../../../src/provider/schema/json";
import {
  accepts,
  answers,
  type Deviant,
  isNew,
  late,
  reads,
  readsNew,
  refusal,
  remembers,
  replies,
  sentTo,
  takes,
  withBody,
  withItems,
} from "./deviant";

const withoutNew = (body: JsonObject): JsonObject => ({
  ...body,
  data: [body.data].flat().filter((one) => !isNew(one as JsonObject)),
});

/** Deviations in what a console does after a write, or with one that it may refuse. */
export const doneOtherwise: readonly Deviant[] = [
  accepts("accepts a change of an archived gate", "archivedWrite: accepted", "PATCH", /\/gates\//),
  accepts("makes a second gate of the same name", "duplicateCreate: accepted", "POST", /\/gates$/),
  answers("refuses a second gate in other words", "duplicateCreate: reworded", async (request, ask) => {
    const reply = await ask(request);
    const isRefused = sentTo(request, "POST", /\/gates$/) && reply.status === 400;
    return isRefused ? refusal(400, "Name is not free") : reply;
  }),
  accepts("makes a second segment of the same name", "duplicateSegments: accepted", "POST", /\/segments$/),
  late("answers 404 once after a create", "readAfterCreate: late", [/\/gates\/fcverify/, 1], () =>
    refusal(404),
  ),
  late("shows a change after a while", "readAfterWrite: late", [/\/gates\/fcverify/, 2], (reply) =>
    reply.text.includes("Changed.")
      ? withItems(reply, (gate) => ({ ...gate, description: "Former." }))
      : reply,
  ),
  reads("never shows a change", "readAfterWrite: later", /\/gates\/fcverify/, (gate) => ({
    ...gate,
    description: "Former.",
  })),
  late("shows a stale list", "listAfterCreate: late", [/\/gates$/, 1], (reply) =>
    reply.text.includes("fcverify_test_1") ? withBody(reply, withoutNew) : reply,
  ),
  reads("counts versions from 0", "newVersions: otherwise", /\/gates/, (gate) => ({ ...gate, version: 0 })),
  reads("leaves version and time as they are", "changeTimes: same", /\/gates/, (gate) => ({
    ...gate,
    version: 1,
    lastModifiedTime: gate.createdTime,
  })),
  reads("shows a person behind a key", "keyAuthors: person", /\/gates/, (gate) => ({
    ...gate,
    creatorEmail: "person@example.com",
  })),
  accepts("frees the name of an archived gate", "archivedNames: freed", "POST", /\/gates$/),
  accepts("archives a gate in use", "archiveInUse: accepted", "PUT", /\/archive$/),
  readsNew(
    "brings experiments back as abandoned",
    "archivedExperiments: otherwise",
    /\/experiments\//,
    (one) => ({ ...one, status: "abandoned" }),
  ),
  replies("wants rules in an object", "bareRules: refuse", refusal(400), ({ path, body }) =>
    /\/conditional \[/.test(`${path} ${body}`),
  ),
  replies("refuses rollout strategies", "rolloutStrategies: refuse", refusal(400), ({ body }) =>
    body.includes("gradual_rollout_strategy"),
  ),
  takes(
    "keeps the targeting of a holdout",
    "clearedTargeting: kept",
    /\/holdouts\/[^/]+$/,
    (body, { targetingGateID }) => ({ ...body, targetingGateID: body.targetingGateID || targetingGateID }),
  ),
  late("shows new ids after a while", "idListReads: late", [/\/id_list$/, 1], (reply) =>
    withItems(reply, (list) => ({ ...list, ids: [] })),
  ),
  remembers("refuses ids that a list has", "presentIds: refuse", () => {
    let adds = 0;
    return (request, ask) => {
      if (sentTo(request, "PATCH", /\/id_list$/)) adds += 1;
      return adds > 1 && request.method === "PATCH" ? Promise.resolve(refusal(400)) : ask(request);
    };
  }),
  answers("adds ids in a reset", "resetIds: added", (request, ask) =>
    request.path.endsWith("/id_list/reset")
      ? ask({ ...request, method: "PATCH", path: request.path.replace(/\/reset$/, "") })
      : ask(request),
  ),
];
