import { z } from "zod";
import { output } from "../../schema/field";

/** The review that is open now. */
export const activeReview = output(
  z.object({ reviewID: z.string(), reviewStatus: z.string(), description: z.string() }).optional(),
  {
    doc: "The review that is open now; an update says that it goes past it.",
    volatile: true,
    openReview: true,
  },
);
