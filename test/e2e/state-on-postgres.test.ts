import { jest } from "@jest/globals";
import { startPostgres } from "../support/state-servers";
import { testSharedState } from "./shared-state";

jest.setTimeout(600_000);

testSharedState(startPostgres);
