import type { JsonObject } from "../../../src/provider/schema/json";
import {
  accepting,
  answeringWith,
  type Deviation,
  isNew,
  late,
  reading,
  readingNew,
  refusal,
  sentTo,
  taking,
  withBody,
  withItems,
} from "./deviant";

/** Deviations in what a console does after a write, or with one that it may refuse. */
export const doneOtherwise: readonly Deviation[] = [
  {
    console: "accepts a change of an archived gate",
    question: "archivedWrite",
    answer: "accepted",
    answering: accepting("PATCH", /\/gates\//),
  },
  {
    console: "makes a second gate of the same name",
    question: "duplicateCreate",
    answer: "accepted",
    answering: accepting("POST", /\/gates$/, 201),
  },
  {
    console: "refuses a second gate in other words",
    question: "duplicateCreate",
    answer: "reworded",
    answering: () => async (request, ask) => {
      const reply = await ask(request);
      return sentTo(request, "POST", /\/gates$/) && reply.status === 400
        ? refusal(400, "Name is not free")
        : reply;
    },
  },
  {
    console: "makes a second segment of the same name",
    question: "duplicateSegments",
    answer: "accepted",
    answering: accepting("POST", /\/segments$/, 201),
  },
  {
    console: "answers 404 once after a create",
    question: "readAfterCreate",
    answer: "late",
    answering: late(/\/gates\/fcverify/, 1, () => refusal(404)),
  },
  {
    console: "shows a change after a while",
    question: "readAfterWrite",
    answer: "late",
    answering: late(/\/gates\/fcverify/, 2, (reply) =>
      reply.text.includes("Changed.")
        ? withItems(reply, (gate) => ({ ...gate, description: "Former." }))
        : reply,
    ),
  },
  {
    console: "never shows a change",
    question: "readAfterWrite",
    answer: "later",
    answering: () => reading(/\/gates\/fcverify/, (gate) => ({ ...gate, description: "Former." })),
  },
  {
    console: "shows a stale list",
    question: "listAfterCreate",
    answer: "late",
    answering: late(/\/gates$/, 1, (reply) =>
      reply.text.includes("fcverify_test_1")
        ? withBody(reply, (body) => ({
            ...body,
            data: [body.data].flat().filter((one) => !isNew(one as JsonObject)),
          }))
        : reply,
    ),
  },
  {
    console: "counts versions from 0",
    question: "newVersions",
    answer: "otherwise",
    answering: () => reading(/\/gates/, (gate) => ({ ...gate, version: 0 })),
  },
  {
    console: "leaves version and time as they are",
    question: "changeTimes",
    answer: "same",
    answering: () =>
      reading(/\/gates/, (gate) => ({ ...gate, version: 1, lastModifiedTime: gate.createdTime })),
  },
  {
    console: "shows a person behind a key",
    question: "keyAuthors",
    answer: "person",
    answering: () => reading(/\/gates/, (gate) => ({ ...gate, creatorEmail: "person@example.com" })),
  },
  {
    console: "frees the name of an archived gate",
    question: "archivedNames",
    answer: "freed",
    answering: accepting("POST", /\/gates$/, 201),
  },
  {
    console: "archives a gate in use",
    question: "archiveInUse",
    answer: "accepted",
    answering: accepting("PUT", /\/archive$/),
  },
  {
    console: "brings experiments back as abandoned",
    question: "archivedExperiments",
    answer: "otherwise",
    answering: readingNew(/\/experiments\//, (one) => ({ ...one, status: "abandoned" })),
  },
  {
    console: "wants rules in an object",
    question: "bareRules",
    answer: "refuse",
    answering: answeringWith(
      ({ path, body }) => path.endsWith("/conditional") && body.startsWith("["),
      refusal(400),
    ),
  },
  {
    console: "refuses rollout strategies",
    question: "rolloutStrategies",
    answer: "refuse",
    answering: answeringWith(({ body }) => body.includes("gradual_rollout_strategy"), refusal(400)),
  },
  {
    console: "keeps the targeting of a holdout",
    question: "clearedTargeting",
    answer: "kept",
    answering: taking("PATCH", /\/holdouts\/[^/]+$/, (body, { targetingGateID }) => ({
      ...body,
      targetingGateID: body.targetingGateID || targetingGateID,
    })),
  },
  {
    console: "shows new ids after a while",
    question: "idListReads",
    answer: "late",
    answering: late(/\/id_list$/, 1, (reply) => withItems(reply, (list) => ({ ...list, ids: [] }))),
  },
  {
    console: "refuses ids that a list has",
    question: "presentIds",
    answer: "refuse",
    answering: () => {
      let adds = 0;
      return (request, ask) => {
        if (sentTo(request, "PATCH", /\/id_list$/)) adds += 1;
        return adds > 1 && request.method === "PATCH" ? Promise.resolve(refusal(400)) : ask(request);
      };
    },
  },
  {
    console: "adds ids in a reset",
    question: "resetIds",
    answer: "added",
    answering: () => (request, ask) =>
      request.path.endsWith("/id_list/reset")
        ? ask({ ...request, method: "PATCH", path: request.path.replace(/\/reset$/, "") })
        : ask(request),
  },
];
