import { expect, test } from "@jest/globals";
import { overclaims, overclaimText, shareClaimOf } from "../../src/provider/decisions/declared-shares";
import { experiment } from "../../src/provider/definitions/flags/experiment";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { UNKNOWN } from "../../src/provider/schema/unknown";

const definition = experiment as ResourceDefinition;
const claim = (name: string, args: object) =>
  shareClaimOf(definition, { layerID: "shop", status: "active", ...args }, `experiment "${name}"`) ?? [];

test("running experiments of a layer have 100 % of it together", () => {
  const claims = [claim("a", { allocation: 80 }), claim("b", { allocation: 60 })].flat();
  expect(overclaims(claims).map(overclaimText)).toEqual([
    'experiment "a" and experiment "b" ask for 140 % of layer "shop" together: whichever starts last gets only the rest',
  ]);
  expect(overclaims([claim("a", { allocation: 80 }), claim("a", { allocation: 100 })].flat())).toEqual([]);
});

test.each([
  ["has not been started", { status: "setup" }],
  ["is in no layer", { layerID: undefined }],
  ["is in a layer that is not known yet", { layerID: UNKNOWN }],
  ["asks for a share that is not known yet", { allocation: UNKNOWN }],
])("an experiment that %s is not counted", (_, args) => {
  expect(claim("a", { allocation: 100, ...args })).toEqual([]);
});

test("an experiment that says no share asks for all of its layer", () => {
  expect(claim("a", {})).toMatchObject({ percent: 100, of: 'layer "shop"' });
});
