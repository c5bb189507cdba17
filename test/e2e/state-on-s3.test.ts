import { jest } from "@jest/globals";
import { startS3 } from "../support/state-servers";
import { testSharedState } from "./shared-state";

jest.setTimeout(600_000);

testSharedState(startS3);
