import { readables } from "../../../provider/definitions/index";
import type { Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem } from "../../console/item-operations";
import type { Store, World } from "../../store/store";

const collection = readables.project.name;

const idIn = (world: World): unknown => world.list(collection, true)[0]?.id;

/** A console on the desk is one project. */
const get: Operation = ({ world }) => ({
  message: "Project read successfully.",
  data: { id: String(idIn(world)) },
});

/** Behaviour of the project. */
export const project = defineBehaviour({
  definition: readables.project,
  operations: { get },
});

/**
 * Gives a console that has no project yet an id of its own, by which `pulumi up` tells two consoles at one address apart. A file
 * keeps it; a seed may name it (`projects`). @returns what keeps it while everything else is forgotten.
 */
export function keepProject(store: Store, makeId: () => string): { readonly wipe: () => void } {
  const known = () => store.transaction("read", idIn);
  const keep = (id: string) =>
    store.transaction("write", (world) => {
      // Another process may have been first.
      if (idIn(world) === undefined) world.put(collection, id, { id });
    });
  if (known() === undefined) keep(`emulated_${makeId()}`);
  return {
    wipe() {
      const id = String(known());
      store.wipe();
      keep(id);
    },
  };
}

const account = readables.company.name;

/** The account of the console on the desk; a seed may say another one. */
const usual = {
  companyID: "emulated_company",
  companyName: "Emulated company",
  isWarehouseNative: false,
  orgID: null,
  orgName: null,
};

const getAccount: Operation = (call) =>
  answerItem(call, { ...usual, ...call.world.get(account, account) }, "read");

/** Behaviour of the account. */
export const company = defineBehaviour({
  definition: readables.company,
  operations: { get: getAccount },
  planted: (entry) => ({ id: account, item: entry }),
});
