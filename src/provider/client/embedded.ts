import { bug } from "../schema/errors";
import type { Transport } from "./transport";

/** The console that is embedded in this process. */
export interface EmbeddedConsole {
  readonly transport: Transport;
  /** True where an object that was created then, milliseconds since 1970, can have been in its file. */
  canHaveHeld(created: number | undefined): boolean;
}

/** Access to the embedded console. Every entry of the package gives it, because the provider knows no console. */
export const embedded: { open: (file: string) => EmbeddedConsole } = {
  open() {
    throw bug("No entry of the package brings the embedded console.");
  },
};
