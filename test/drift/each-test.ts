import { afterEach, beforeEach } from "@jest/globals";
import { Desk } from "./desk";

/** The desk of the test that runs, in a file that opens one for each. */
export let api: Desk;

/** Opens a desk for each test of a file. */
export function deskForEachTest(): void {
  beforeEach(() => {
    api = new Desk();
  });
  afterEach(() => api.close());
}
