import { expect, test } from "@jest/globals";
import { readUsers } from "../../src/evaluation";

const users = [
  { userID: "1", email: "ann@example.com" },
  { userID: "2", customIDs: { companyID: "acme" }, custom: { plan: "pro" } },
];

test.each([
  ["a JSON array", JSON.stringify(users)],
  ["JSON by lines", users.map((user) => JSON.stringify(user)).join("\r\n\n")],
  ["a table", "userID,email,customIDs.companyID,plan\r\n1,ann@example.com,,\r\n2,,acme,pro\r\n"],
  [
    "a table that quotes",
    '\uFEFF"userID","email","customIDs.companyID","custom.plan"\n1,"ann@example.com",,\n2,,"acme",pro\n',
  ],
])("users of %s", (_, text) => {
  expect(readUsers(text, "users")).toEqual(users);
});

test.each([
  ["[1]", "users: user 1: a user is an object"],
  ['{"userID":"1"}\n{"userID":', "users:2: no JSON"],
  ["userID,email\n1,2,3\n", "users: neither JSON nor a table of users"],
])("what is no user is named by its place: %j", (text, message) => {
  expect(() => readUsers(text, "users")).toThrow(message);
});
