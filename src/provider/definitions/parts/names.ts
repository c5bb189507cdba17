import { z } from "zod";
import { input, nested } from "../../schema/field";

/** People name things in the console as they like: only a new object has to keep to the limits. */
const ofNew = (schema: z.ZodString) => nested(schema, { limitedAtCreation: true });

/** Names and keys of gates and dynamic configs (console-api, section 8). */
export const dottedName = ofNew(
  z
    .string()
    .min(3)
    .max(100)
    .regex(/^[a-zA-Z0-9_\-. ]*$/),
);
export const dottedKey = ofNew(
  z
    .string()
    .min(3)
    .max(100)
    .regex(/^[a-zA-Z0-9_\-.]*$/),
);

/** Names of segments and layers, and keys of segments: no dot. */
export const plainName = ofNew(
  z
    .string()
    .min(3)
    .max(100)
    .regex(/^[a-zA-Z0-9_\- ]*$/),
);
export const plainKey = ofNew(
  z
    .string()
    .min(3)
    .max(100)
    .regex(/^[a-zA-Z0-9_-]*$/),
);

/** A name that is the key of the object, in any characters. */
export const nameAsKey = input(z.string().min(1).optional(), {
  doc: "Its key. Left out: the resource name.",
  replaces: true,
});

/** Descriptions of every kind but assignment sources. */
export const description = z.string().max(1000);

/** A share of units in percent; the console keeps two decimals. */
export const percentage = z.number().min(0).max(100).multipleOf(0.01);
