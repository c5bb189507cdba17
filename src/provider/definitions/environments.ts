import { z } from "zod";
import { defineResource, type Warning } from "../schema/define";
import { input, maybe, nested } from "../schema/field";
import { isObject, type JsonObject, objectsIn } from "../schema/json";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { route } from "../schema/verbs";
import { listText } from "../texts/count-text";
import { quote } from "../texts/issue-text";
import { repeatedNames } from "./parts/names";
import { flag } from "./parts/traits";

/** Environments of a new project. Not published: the names that the samples of other kinds use (assumption). */
export const firstEnvironments = ["production", "staging", "development"] as const;

const environment = nested(
  z.object({
    name: nested(z.string().min(1), { doc: "The name that rules use in `environments`; unique." }),
    isProduction: flag("Whether it counts as production."),
    requiresReview: flag(
      "Whether a change that touches it needs a review. The console may insist on it for production.",
    ),
    // An empty id is refused, null is none.
    requiredReviewGroupID: maybe(z.string().min(1).nullable(), "Id of the group that reviews."),
    requiresReleasePipeline: flag("Whether a change that touches it must go through a release pipeline."),
    id: nested(z.string().optional(), { doc: "Id of the environment.", serverSet: "identity" }),
  }),
  { sparse: true },
);

/** The environments of a project, of which there is one list. Source: console-api/project.md, section 4. */
export const environments = defineResource({
  kind: "Environments",
  name: "environments",
  plural: "Environments",
  title: "environment list",
  doc: "The environments of the project, all of them: one resource for each project. An environment that the program does not name is removed.",
  // There is one, so nothing tells it apart from others.
  identity: { how: "singleton", id: "project" },
  fields: {
    environments: input(z.array(environment), {
      doc: "Every environment of the project. An environment that stays keeps its id; a missing one is removed.",
      keyedBy: "name",
    }),
  },
  routes: {
    get: route("GET", "/environments", "item", "The environments."),
    replace: route(
      "POST",
      "/environments",
      "item",
      "Replaces the list; an entry without its id is a new one.",
      { body: { requires: ["environments"] } },
    ),
  },
  lifecycle: {
    create: { how: "claim", why: "Every project has its environments from the start." },
    read: { how: "get", route: "get" },
    update: [{ how: "patch", route: "replace" }],
    delete: { why: "The API cannot delete the environments of a project.", onDeleteDefault: "retain" },
  },
  problems: (args) => repeatedNames(args, "environments", "environment"),
  warnings: (olds, news) => [...productionWarnings(olds, news), ...removalWarnings(olds, news)],
});

/** The guides of the service say that a list without exactly one is refused. */
function productionWarnings(_olds: JsonObject, { environments: listed }: JsonObject): Warning[] {
  if (!Array.isArray(listed) || listed.some((one) => !isObject(one) || one.isProduction === UNKNOWN))
    return [];
  const count = listed.filter(({ isProduction }) => isProduction === true).length;
  const message = `${count === 0 ? "none" : count} of them are production; the console refuses a list without exactly one`;
  return count === 1 ? [] : [{ path: ["environments"], message }];
}

/** An environment goes by its name: another name is another environment, which Pulumi shows as a changed name. */
function removalWarnings({ environments: before }: JsonObject, { environments: after }: JsonObject) {
  if (!Array.isArray(before) || !Array.isArray(after) || holdsUnknown(after)) return [];
  const without = (list: readonly unknown[], others: readonly unknown[]) =>
    objectsIn(list).filter(({ name }) => objectsIn(others).every((one) => one.name !== name));
  const [gone, made] = [without(before, after), without(after, before)].map((list) =>
    listText(list.map(({ name }) => quote(name))),
  );
  if (gone === "") return [];
  const what =
    made === "" ? `${gone} is removed` : `${gone} is removed, and ${made} is new: this is no rename`;
  const message = `${what}. Rules and keys go on naming ${gone}: give them another environment first, or put ${gone} back`;
  return [{ path: ["environments"], message }];
}
