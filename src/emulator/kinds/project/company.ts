import { readables } from "../../../provider/definitions/index";
import type { Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem } from "../../console/item-operations";

const collection = readables.company.name;

/** The account of the console on the desk; a seed may say another one. */
const usual = {
  companyID: "emulated_company",
  companyName: "Emulated company",
  isWarehouseNative: false,
  orgID: null,
  orgName: null,
};

const get: Operation = (call) =>
  answerItem(call, { ...usual, ...call.world.get(collection, collection) }, "read");

/** Behaviour of the account. */
export const company = defineBehaviour({
  definition: readables.company,
  operations: { get },
  planted: (entry) => ({ id: collection, item: entry }),
});
