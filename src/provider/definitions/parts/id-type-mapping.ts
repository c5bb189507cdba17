import { z } from "zod";
import { input, nested } from "../../schema/field";
import { text } from "./traits";

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
export const timestampAsDay = input(z.boolean().optional(), {
  doc: "Whether that column holds days without a time.",
  serverDefault: false,
});
