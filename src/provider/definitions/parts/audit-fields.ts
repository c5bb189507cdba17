import { z } from "zod";
import { nested, optional, output } from "../../schema/field";
import type { Json } from "../../schema/json";
import { emptied, moving, set, textOrNone } from "./traits";

const nullableText = z.string().nullable();

/** Authors and times of the creation and the last change of an object. */
export const audit = {
  createdTime: output(z.number(), { doc: "When it was made, milliseconds since 1970.", audit: "created" }),
  creatorName: moving(nullableText, "Who made it; `CONSOLE API` for a key.", "CONSOLE API"),
  lastModifiedTime: output(z.number().nullable(), {
    doc: "When it last changed, milliseconds since 1970.",
    volatile: true,
    audit: "changed",
  }),
  lastModifierID: moving(nullableText, "Id of who last changed it.", null),
  lastModifierEmail: moving(nullableText, "E-mail of who last changed it.", null, { audit: "changedBy" }),
  lastModifierName: moving(nullableText, "Name of who last changed it.", "CONSOLE API"),
  version: moving(z.number(), "Counts the changes.", 1, { audit: "version" }),
};

/** Authorship that a program may override. */
export const authorship = {
  creatorID: optional(nullableText, "Id of the author to show instead of the key. Drift can't be detected.", {
    clearWith: null,
    remembered: true,
    audit: "madeById",
  }),
  creatorEmail: optional(
    nullableText,
    "E-mail of the author to show instead of the key. Drift can't be detected.",
    { clearWith: null, remembered: true, audit: "madeBy" },
  ),
};

/** Authorship that only the console sets. */
export const creator = {
  creatorID: output(nullableText, { doc: "Id of who made it.", serverDefault: null, audit: "madeById" }),
  creatorEmail: moving(nullableText, "E-mail of who made it.", null, { audit: "madeBy" }),
};

/** The team that owns an object, by name or by id. */
export const ownership = {
  team: optional(nullableText, "Name of the owning team (enterprise). Set this or `teamID`.", {
    names: "team",
    owner: "team",
    clearWith: null,
  }),
  teamID: optional(nullableText, "Id of the owning team (enterprise). Set this or `team`.", {
    refersTo: "team",
    owner: "team-id",
    clearWith: null,
    aliasOf: "team",
  }),
};

/** The same, where only the console sets it. */
export const shownTeam = {
  team: output(nullableText, { doc: "Name of the owning team.", owner: "team", serverDefault: null }),
  teamID: output(nullableText, { doc: "Id of the owning team.", owner: "team-id", serverDefault: null }),
};

const ownerMembers = {
  ownerID: textOrNone("Id of the owner."),
  ownerType: textOrNone("Type of owner; `SDK_KEY` for a key."),
  ownerName: textOrNone("Name of the owner."),
  ownerEmail: textOrNone("E-mail of the owner."),
};

/** The kind of owner that tells what a key has made (console-api, section 10). */
const ofKey = { ownerType: "SDK_KEY" };

/** Whom an object belongs to that a key has made. */
export const ownedByKey = { ...ofKey, ownerName: "CONSOLE API", ownerEmail: "" };

/** Owner of a new object; opaque. */
export const owner = moving(
  z.object(ownerMembers).nullable(),
  "Whom the console calls the owner; opaque.",
  ownedByKey,
  { owner: "person", ofKey },
);

/** The owner, where a program can say it. `more`: members that one kind has beside. */
export const writableOwner = (
  more: Readonly<Record<string, z.ZodType>> = {},
  serverDefault: Json = ownedByKey,
) =>
  optional(
    nested(z.object({ ...ownerMembers, ...more }), { sparse: true }).nullable(),
    "Whom it belongs to. Left out: it stays whose it is.",
    { serverDefault, owner: "person", ofKey },
  );

/** Labels. The console shows a core tag with a star, which is not part of its name. */
export const tags = { doc: "Tag names.", ...set, refersTo: "tag" } as const;

/** A tag without the star that marks core tags. */
export function withoutStar(tag: unknown): unknown {
  return typeof tag === "string" ? tag.replace(/^★ /, "") : tag;
}

/** Protection of the object from changes in the console. */
export const isReadOnly = optional(z.boolean(), "Whether only the API may change it.", {
  serverDefault: false,
});

/** Approval of the object, as the console shows it. */
export const isVerified = optional(z.boolean(), "Whether it is marked as verified.", {
  serverDefault: false,
});

/** Names of target apps. */
export const targetApps = optional(
  z.union([z.array(z.string()), z.string()]),
  "Names of the target apps it belongs to.",
  { names: "targetApp", unordered: true, sameAs: "string-or-array", ...emptied },
);

/** Holdouts that hold an object; written on the holdout. */
export const holdoutIDs = output(z.array(z.string()), {
  doc: "Holdouts that hold it; set from the holdout's side.",
  refersTo: "holdout",
  unordered: true,
  volatile: true,
  serverDefault: [],
});

/** A metric by name and type. */
export const metricRef = z.object({ name: z.string(), type: z.string() });
