import "../../node-guard";

export { ConsoleError, isConsoleError } from "../schema/errors";
export { type ConsoleClient, createClient } from "./client";
export type { ClientSettings } from "./settings";
export type { Transport, WireAnswer, WireRequest } from "./transport";
