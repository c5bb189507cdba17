import { z } from "zod";
import { nested } from "../../schema/field";

/** A set of ids as a program gives it. What the text of a file looks like is told in docs/id-lists.md. */
export const idSet = z.union([
  z.array(z.string().min(1)),
  z.object({
    file: nested(z.string().min(1), {
      doc: "Path of a text file with one id a line, from the folder of the project.",
    }),
  }),
]);
