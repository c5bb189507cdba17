import { expect } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Driver, Resource } from "../support/driver";

/** A diff that finds nothing to do. */
export const quiet = { quiet: true, replaces: [] };

/** Quiet as it is, and after a refresh. @returns what the refresh found. */
export async function mustStayQuiet(driver: Driver, made: Resource, args: JsonObject): Promise<Resource> {
  expect(await driver.diff(made, args)).toEqual(quiet);
  const refreshed = (await driver.refresh(made)) ?? made;
  expect(await driver.diff(refreshed, args)).toEqual(quiet);
  return refreshed;
}
