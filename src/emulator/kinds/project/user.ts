import { catalog, readables } from "../../../provider/definitions/index";
import { type JsonObject, picked, textsIn } from "../../../provider/schema/json";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem, bodyOf, get } from "../../console/item-operations";
import { invalidMember, Refusal } from "../../console/rules/outcomes";
import { findItem } from "../../store/items";
import type { World } from "../../store/store";

const collection = readables.user.name;

/** The id by which other objects name a user; no answer about the user shows it. */
const ownId = "$id";

/** Upper and lower case have no meaning in an address. */
const addressOf = (text: unknown): string => String(text).toLowerCase();

/** The user with an address; undefined where nobody has it. */
export function userWith(world: World, email: string): JsonObject | undefined {
  const found = world.get(collection, addressOf(email));
  if (found === undefined) return undefined;
  const { [ownId]: _id, ...told } = found;
  return told;
}

/** An operation on the user whose address the path says. */
function byAddress(operation: Operation): Operation {
  return (call) => operation({ ...call, params: { email: addressOf(call.params.email) } });
}

const getById: Operation = (call) => {
  const found = call.world.list(collection, true).find((one) => one[ownId] === call.params.id);
  if (found === undefined) throw new Refusal(404, "User not found.");
  return answerItem(call, found, "read");
};

const update = byAddress((call) => {
  const { id, item } = findItem(call);
  const after = { ...item, ...picked(bodyOf(call), ["role", "firstName", "lastName"]) };
  call.world.put(collection, id, after);
  return answerItem(call, after, "updated");
});

/** Invited people need an address of a company: which ones count is not published; those of large mail services do not. */
const publicMail =
  /@(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|aol|proton|protonmail|gmx)\.[a-z.]+$/;

/** Invites users. Known ones only join the teams (assumption). */
const invite: Operation = (call) => {
  const { role, emails, teams } = bodyOf(call);
  const addresses = [...new Set(textsIn(emails).map(addressOf))];
  const own = addresses.find((address) => publicMail.test(address));
  if (own !== undefined) throw invalidMember("emails", `Not a company address: ${own}`);
  for (const email of addresses) {
    if (call.world.get(collection, email) !== undefined) continue;
    const person = { email, firstName: "", lastName: "", role, [ownId]: call.ports.makeId() };
    call.world.put(collection, email, person);
  }
  for (const name of textsIn(teams)) join(call, name, addresses);
  return { message: "Users invited successfully." };
};

/** Adds users to a team, by its id or its name: which of them is not published. The message is invented: none is published. */
function join({ world }: Call, team: string, addresses: readonly string[]): void {
  const found = world.list(catalog.team.name, true).find(({ id, name }) => id === team || name === team);
  if (found === undefined) throw invalidMember("teams", `Unknown team: ${team}`);
  const joined = { ...found, members: [...new Set([...textsIn(found.members), ...addresses])] };
  world.change(catalog.team.name, String(found.id), joined);
}

/** Behaviour of users: those of the seed, and those who are invited. */
export const user = defineBehaviour({
  definition: readables.user,
  operations: { get: byAddress(get), getById, update, invite },
  planted({ id, email, firstName = "", lastName = "", role = "Member" }, ports) {
    if (typeof email !== "string" || email === "") throw invalidMember("email", "Required");
    const address = addressOf(email);
    return {
      id: address,
      item: { email: address, firstName, lastName, role, [ownId]: id ?? ports.makeId() },
    };
  },
});
