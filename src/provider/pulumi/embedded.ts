import type { EmbeddedConsole } from "../client/transport";
import { bug } from "../schema/errors";

/** Access to the embedded console. Every entry of the package gives it, because the provider knows no console. */
export const embedded: { open: (file: string) => EmbeddedConsole } = {
  open() {
    throw bug("No entry of the package brings the embedded console.");
  },
};
