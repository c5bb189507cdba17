import { firstEnvironments } from "../../catalog/environments";
import { catalog } from "../../catalog/index";
import { isObject, type JsonObject } from "../../core/json";
import { invalidMember } from "../answers";
import type { Behaviour, Call } from "../behaviour";
import { answerItem, members } from "../verbs";

const collection = catalog.environments.name;
const id = catalog.environments.lifecycle.create.id;

const flags = { requiresReview: false, requiresReleasePipeline: false };

const ids = { production: "0.3562190486541", staging: "0.7418205519376", development: "0.1907736284015" };

/** What a new project has. */
const first = firstEnvironments.map((name) => ({
  name,
  id: ids[name],
  isProduction: name === "production",
  ...flags,
}));

function held({ world }: Call): JsonObject[] {
  const stored = world.get(collection, id)?.environments;
  return Array.isArray(stored) ? stored.filter(isObject) : first;
}

/** The body is the whole list: what it leaves out is removed, and an entry without a known id is a new one. */
function replaceAll(call: Call) {
  const sent = members(call).environments;
  const listed = Array.isArray(sent) ? sent.filter(isObject) : [];
  if (new Set(listed.map(({ name }) => name)).size < listed.length) {
    // Nothing is published about names given twice; the text is ours.
    throw invalidMember("environments", "Duplicate environment name(s) given");
  }
  const known = new Set(held(call).map((one) => one.id));
  const environments = listed.map((one) => ({
    ...one,
    id: known.has(one.id) ? one.id : `0.${Math.trunc(call.ports.clock())}${call.ports.makeId()}`,
  }));
  call.world.put(collection, id, { environments });
  return answerItem(call, { environments }, "updated");
}

/** How the console treats the environments of its one project. */
export const environments: Behaviour = {
  definition: catalog.environments,
  texts: { missing: "", taken: "" },
  operations: {
    get: { run: (call) => answerItem(call, { environments: held(call) }, "read") },
    replace: { run: replaceAll },
  },
};
