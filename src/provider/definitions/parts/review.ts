import { z } from "zod";
import { output } from "../../schema/field";

/** The review that is open now. */
export const activeReview = output(
  z.object({ reviewID: z.string(), reviewStatus: z.string(), description: z.string() }).optional(),
  {
    doc: "The review that is open now; an update reports that it bypasses the review.",
    volatile: true,
    openReview: true,
  },
);
