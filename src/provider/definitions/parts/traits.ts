import { z } from "zod";
import { type FieldTraits, input, nested, optional, output } from "../../schema/field";
import type { Json } from "../../schema/json";

/** A text that an empty one clears. */
export const blanked = { clearWith: "", serverDefault: "" } as const;

/** A value that null clears. */
export const nulled = { clearWith: null, serverDefault: null } as const;

/** A list that an empty one clears. */
export const emptied = { clearWith: [], serverDefault: [] } as const;

/** The same of a list whose order has no meaning. */
export const set = { unordered: true, ...emptied } as const;

/** The unit id type by which an object counts. */
export const unitIds = { serverDefault: "userID", refersTo: "unitIdType" } as const;

/** A value that changes without an update. `first`: the one that the console shows of a new object. */
export const moving = <S extends z.ZodType>(
  schema: S,
  doc: string,
  first: Json,
  more: Omit<Partial<FieldTraits<never>>, "wire"> = {},
) => output(schema, { ...more, doc, volatile: true, serverDefault: first });

/** Names that only the console sets. */
export const shownNames = (doc: string) =>
  output(z.array(z.string()), { doc, unordered: true, serverDefault: [] });

/** Members of a field that need no trait but their text. */
export const text = (doc: string) => nested(z.string(), { doc });
export const maybeText = (doc: string) => nested(z.string().optional(), { doc });
export const textOrNone = (doc: string) => nested(z.string().nullable().optional(), { doc });
export const number = (doc: string) => nested(z.number(), { doc });
export const maybeNumber = (doc: string) => nested(z.number().optional(), { doc });
export const numberOrNone = (doc: string) => nested(z.number().nullable().optional(), { doc });
export const flag = (doc: string) => nested(z.boolean(), { doc });
export const maybeFlag = (doc: string) => nested(z.boolean().optional(), { doc });

/** Which column holds which unit id. The member that names the unit id type differs by profile. */
export const idTypeMapping = input(
  z.array(
    z.object({
      serviceUnitID: nested(z.string(), { doc: "Unit id type.", refersTo: "unitIdType" }),
      column: text("Column of the query that holds it."),
    }),
  ),
  { doc: "Which column holds which unit id.", unordered: true },
);

/** Precision of the column with the time of a row. */
export const timestampAsDay = optional(z.boolean(), "Whether `timestampColumn` holds days without a time.", {
  serverDefault: false,
});
