import { expect, test } from "@jest/globals";
import { readAllUsers, readUsers } from "../../src/emulator/evaluation";

const users = [
  { userID: "1", email: "ann@example.com" },
  { userID: "2", customIDs: { companyID: "acme" }, custom: { plan: "pro" } },
];

const mail = "ann@example.com";
const quoted = `\uFEFF"userID","email","customIDs.companyID","custom.plan"\n1,"${mail}",,\n2,,"acme",pro\n`;
const tabs = `user_id\temail\tcustomids.companyID\tcustom.plan\n1\t${mail}\t\t\n2\t\tacme\tpro\n`;
test.each([
  ["a JSON array", JSON.stringify(users)],
  ["JSON by lines", `\n${users.map((user) => JSON.stringify(user)).join("\r\n\n")}\n`],
  ["a table", `userID,email,customIDs.companyID,plan\r\n1,${mail},,\r\n2,,acme,pro\r\n`],
  ["a table that quotes", quoted],
  ["a table with semicolons", `UserID;Email;customIDs.companyID;plan\n1;${mail};;\n2;;acme;pro\n`],
  ["a table with tabs", tabs],
])("users of %s, at once and letter by letter", async (_, text) => {
  expect(await readAllUsers(text, "users")).toEqual(users);
  const read = [];
  for await (const user of readUsers([...text], "users")) read.push(user);
  expect(read).toEqual(users);
});

test("a table may end its lines in two ways", async () => {
  const read = await readAllUsers("userID,plan\r\nann,pro\nben,free\r\n", "users");
  expect(read).toEqual([
    { userID: "ann", custom: { plan: "pro" } },
    { userID: "ben", custom: { plan: "free" } },
  ]);
});

test("one user over several lines", async () => {
  expect(await readAllUsers(JSON.stringify(users[1], null, 2), "users")).toEqual(users.slice(1));
});

test.each([
  ["[1]", "users: user 1: found 1; a user is an object such as"],
  ['{"userID":"1"}\n{"userID":', "users:2: no JSON"],
  ['{\n  "userID": 1,\n}', "(line 3 column 1); a user is an object"],
  ['{"userId":"1"}', 'users:1: userId: did you mean "userID"?'],
  ['[{"userID":{}}]', "users: user 1: userID: found {}; a text is needed"],
  ['{"custom":"pro"}', 'users:1: custom: found "pro"; an object is needed'],
  ["userID,email\n1,2,3\n", "users:2: found 3 cells, and the first line names 2 columns; put a cell that"],
  ['userID,email\n1,"2\n', "users:2: a quotation mark opens a cell here, and none closes it"],
  ['userID,email\r\n1,2\r\n3,"4\r\n5,6\r\n', "users:3: a quotation mark opens a cell here"],
  ["userID,email\r\n1,2\n3,4,5\r\n", "users:3: found 3 cells"],
  ["some text\nand more", 'users: neither JSON nor a table of users: found "some text" as its first line'],
  [`a"${"\u0000".repeat(500)}`, "users:1: neither JSON nor a table of users"],
  ...["", " \n", "[]", "userID,email\n"].map(
    (text) => [text, "users: no user is in it: give JSON such as"] as const,
  ),
])("what is no user is named by its place: %j", async (text, message) => {
  const told = readAllUsers(text, "users");
  await expect(told).rejects.toThrow(message);
  await expect(told).rejects.toThrow(/^.{0,240}$/s);
});
