import { z } from "zod";

/** Names and keys of gates and dynamic configs (console-api, section 8). */
export const dottedName = z
  .string()
  .min(3)
  .max(100)
  .regex(/^[a-zA-Z0-9_\-. ]*$/);
export const dottedKey = z
  .string()
  .min(3)
  .max(100)
  .regex(/^[a-zA-Z0-9_\-.]*$/);

/** Names of segments and layers, and keys of segments: no dot. */
export const plainName = z
  .string()
  .min(3)
  .max(100)
  .regex(/^[a-zA-Z0-9_\- ]*$/);
export const plainKey = z
  .string()
  .min(3)
  .max(100)
  .regex(/^[a-zA-Z0-9_-]*$/);

/** Descriptions of every kind but assignment sources. */
export const description = z.string().max(1000);

/** A share of units in percent; the console keeps two decimals. */
export const percentage = z.number().min(0).max(100).multipleOf(0.01);
