import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { getUser, getUserById, listUsers } from "../../src";
import { createClient } from "../../src/provider/client";
import { emptyTeam } from "../laws/furniture";
import { type Desk, openDesk, testKey } from "./desk";

const ada = { email: "ada@example.com", firstName: "Ada", lastName: "Byron", role: "Admin" };
const grace = { email: "grace@example.com", firstName: "", lastName: "", role: "Member" };

let api: Desk;
const before = { ...process.env };
beforeEach(async () => {
  const users = [{ ...ada, email: "Ada@example.com", id: "u1" }, { email: grace.email }];
  api = await openDesk({ seed: { users } });
  process.env.FEATURE_CONSOLE_PROFILE = "custom";
  process.env.FEATURE_CONSOLE_BASE_URL = api.emulator.url;
  process.env.FEATURE_CONSOLE_API_KEY = testKey;
});
afterEach(async () => {
  process.env = before;
  await api.close();
});

const users = () => createClient({ profile: "custom", baseUrl: api.emulator.url, apiKey: testKey }).user;

test("users are those of the seed, read by address, whatever its case, or by id", async () => {
  expect(await api.list("/users")).toEqual([ada, grace]);
  for (const path of ["ADA@example.com", "id/u1"])
    expect(await api.must("GET", `/users/${path}`)).toEqual(ada);
  for (const path of ["nobody@example.com", "id/u2"])
    expect(await api.refused("GET", `/users/${path}`)).toBe("404 User not found.");
  const nobody = openDesk({ seed: { users: [{ role: "Admin" }] } });
  await expect(nobody).rejects.toThrow("seed.users[0].email: Required");
});

test("lookups find them", async () => {
  const found = { id: ada.email, ...ada };
  expect(await getUser({ email: "Ada@Example.com" })).toEqual(found);
  expect(await getUserById({ id: "u1" })).toEqual(found);
  expect((await listUsers()).map(({ email }) => email)).toEqual([ada.email, grace.email]);
  await expect(getUser({ email: "nobody@example.com" })).rejects.toThrow(
    "Cannot look up user (get): GET /users/nobody%40example.com answered 404: User not found.",
  );
});

test("an answer about somebody else is not believed", async () => {
  const body = { message: "", data: ada };
  api.emulator.addFaults([{ method: "GET", path: "/users/x%40example.com", body, times: 1 }]);
  await expect(getUser({ email: "x@example.com" })).rejects.toThrow(/whose email is "ada@example.com"/);
});

test("the client changes a user in part", async () => {
  const member = { ...ada, role: "Member" };
  expect(await users().update({ email: ada.email, body: { role: "Member" } })).toEqual(member);
  expect(await api.must("GET", "/users/id/u1")).toEqual(member);
  await expect(users().update({ email: "no@example.com", body: {} })).rejects.toThrow("User not found.");
});

test("[H4] the client invites: who is new is a user, who is known stays as they are, all join the teams", async () => {
  const team = await api.must("POST", "/users/teams", { ...emptyTeam, name: "growth" });
  const emails = ["new@example.com", "ADA@example.com"];
  await users().invite({ body: { role: "Viewer", emails, teams: ["growth"] } });
  const invited = { email: "new@example.com", firstName: "", lastName: "", role: "Viewer" };
  expect(await api.list("/users")).toEqual([ada, grace, invited]);
  expect((await api.must("GET", `/users/teams/${team.id}`)).members).toEqual([invited, ada]);
});

test.each<[string, object, string]>([
  ["a team", { emails: ["other@example.com"], teams: ["none"] }, "teams: Unknown team: none"],
  ["an own address", { emails: ["x@gmail.com"] }, "emails: Not a company address: x@gmail.com"],
  ["no address", { emails: ["a@example.com", "nobody"] }, "emails.1: Invalid email"],
  ["nobody", {}, "emails: Required"],
])("[H4] an invitation is refused for %s", async (_, body, reason) => {
  expect(await api.refused("POST", "/users/invite", { role: "Viewer", ...body })).toBe(`400 ${reason}`);
  expect(await api.list("/users")).toHaveLength(2);
});
