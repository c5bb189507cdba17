import { z } from "zod";
import { defineObject } from "../../schema/define";
import { output } from "../../schema/field";
import { route } from "../../schema/verbs";

const item = "/users/{email}";
const role = z.string();

/** Somebody who can sign in: read, never managed, as nothing removes one. Source: console-api/project.md, section 6. */
export const user = defineObject({
  kind: "User",
  name: "user",
  title: "user",
  doc: "A person who can sign in to the console.",
  identity: { how: "key", argument: "email" },
  fields: {
    email: output(z.string(), { doc: "The e-mail address.", sameAs: "caseless" }),
    firstName: output(z.string(), { doc: "First name." }),
    lastName: output(z.string(), { doc: "Last name." }),
    role: output(role, { doc: "Name of the role in the project." }),
  },
  routes: {
    list: route("GET", "/users", "items", "All users."),
    get: route("GET", item, "item", "One user, by the e-mail address."),
    // Answers show no id: that of the path is none of the answer.
    getById: route("GET", "/users/id/{id}", "item", "One user, by the id that other objects name.", {
      returnsKind: "user",
    }),
    update: route("POST", item, "item", "Changes what the body names.", {
      body: {
        schema: z.object({
          role: role.optional(),
          firstName: z.string().optional(),
          lastName: z.string().optional(),
        }),
      },
    }),
    invite: route("POST", "/users/invite", "message", "Lets people in by their addresses; no mail is sent.", {
      body: { schema: z.object({ role, emails: z.array(z.email()), teams: z.array(z.string()).optional() }) },
    }),
  },
});
