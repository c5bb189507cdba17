import { z } from "zod";
import { defineResource, type Problem } from "../../schema/define";
import { input, maybe, nested, output, writeOnly } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { route } from "../../schema/verbs";
import {
  audit,
  authorship,
  holdoutIDs,
  ownership,
  tags,
  targetApps,
  withoutStar,
  writableOwner,
} from "../parts/audit-fields";
import { slugName } from "../parts/flag-fields";
import { description, dottedKey, dottedName } from "../parts/names";
import { blanked, maybeNumber, maybeText, text } from "../parts/traits";

const all = "/prompts";
const item = `${all}/{id}` as const;
const fixed = true;

const header = z.object({ name: text("Name of the header."), value: text("Its value.") });

const message = z.object({
  role: nested(z.enum(["system", "user", "assistant"]), { doc: "Whose message it is." }),
  content: text("Its text."),
});

/** Content of one version of a prompt. */
const version = z.object({
  name: nested(dottedName, { doc: "Name of the version." }),
  key: maybe(dottedKey, "Id of the version, another one for each. Left out: the console generates it.", {
    wire: "id",
  }),
  description: nested(description.optional(), { doc: "Purpose of the version." }),
  prompts: nested(z.array(message).optional(), { doc: "The messages, in order." }),
  provider: maybeText("Provider of the model."),
  model: maybeText("Name of the model."),
  evalModel: maybe(z.string(), "Name of the model that evaluates answers.", { wire: "eval_model" }),
  temperature: maybeNumber("Sampling temperature."),
  topP: nested(z.number().optional(), { doc: "Share of likely words that it samples from.", wire: "top_p" }),
  frequencyPenalty: maybe(z.number(), "Penalty of words by how often they occurred.", {
    wire: "frequency_penalty",
  }),
  presencePenalty: maybe(z.number(), "Penalty of words that occurred.", { wire: "presence_penalty" }),
  maxTokens: nested(z.number().optional(), { doc: "Most tokens of an answer.", wire: "max_tokens" }),
  workflowBody: maybe(
    z.object({ type: nested(z.enum(["JSON"]), { doc: "Form of `value`." }), value: text("The body.") }),
    "Body of the request to a workflow.",
    { wire: "workflow_body" },
  ),
  workflowHeaders: nested(z.array(header).optional(), {
    doc: "Headers of that request; `authWorkflowHeaders` beside `content` takes those that are secrets.",
    wire: "workflow_headers",
  }),
});

/** A prompt of an AI model. Source: console-api/corrections-2.md, section 1. */
export const prompt = defineResource({
  kind: "Prompt",
  name: "prompt",
  title: "prompt",
  doc:
    "A prompt of an AI model. `content` is its next version: a change posts a new version, and the console keeps the earlier ones. " +
    "Reads show no version, so an edit of the content in the console is no drift.",
  identity: { how: "slug", argument: "name" },
  fields: {
    name: slugName(dottedName),
    displayName: writeOnly(dottedName.optional(), { doc: "Shown in the console.", fixed }),
    description: input(description.optional(), { doc: "Purpose of the prompt.", ...blanked }),
    content: writeOnly(version.optional(), {
      doc: "The content of its next version. A change makes a new version; removing it changes nothing.",
    }),
    authWorkflowHeaders: writeOnly(z.array(header).optional(), {
      doc: "Headers of the request to a workflow that are secrets. They belong to the version: a change makes a new one.",
      wire: "auth_workflow_headers",
      secret: true,
    }),
    targetApps,
    tags: input(z.array(z.string()).optional(), { ...tags, fixed }),
    ...ownership,
    creatorID: input(z.string().nullable().optional(), { ...authorship.creatorID.traits, fixed }),
    creatorEmail: input(z.string().nullable().optional(), { ...authorship.creatorEmail.traits, fixed }),
    owner: writeOnly(writableOwner().schema, { doc: "Whom it belongs to.", fixed, owner: "person" }),
    ...audit,
    idType: output(z.string().optional(), { doc: "Unit id type, as the console shows it." }),
    holdoutIDs,
  },
  routes: {
    list: route("GET", all, "items", "All prompts.", { noneAs404: true }),
    create: route("POST", all, "item", "Makes a prompt without content.", {
      body: { except: ["content", "authWorkflowHeaders"], requires: ["name"] },
    }),
    get: route("GET", item, "item", "One prompt, without its versions."),
    patch: route("PATCH", item, "item", "Changes what the body names.", {
      body: { only: ["description", "targetApps", "team", "teamID"] },
    }),
    addVersion: route("POST", `${item}/versions`, "item", "Makes a version of it.", {
      status: 201,
      returnsKind: "promptVersion",
      body: { schema: z.looseObject({ name: z.string() }) },
    }),
  },
  lifecycle: {
    create: { how: "send", route: "create", duplicates: "unstated" },
    read: { how: "get", route: "get", list: "list" },
    update: [
      { how: "patch", route: "patch" },
      { how: "value", route: "addVersion", field: "content", beside: ["authWorkflowHeaders"] },
    ],
    delete: { why: "The API cannot delete a prompt.", onDeleteDefault: "retain" },
  },
  exclusive: [["team", "teamID"]],
  forms: { "tags[]": withoutStar },
  problems: headerProblems,
});

/** The request that makes a version needs its name, which stands in `content`. */
function headerProblems({ content, authWorkflowHeaders }: JsonObject): Problem[] {
  if (authWorkflowHeaders === undefined || content !== undefined) return [];
  const why = "they belong to a version, which takes content; set content";
  return [{ path: ["authWorkflowHeaders"], message: why }];
}
