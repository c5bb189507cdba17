import { expect, test } from "@jest/globals";
import { changeLink } from "../../src/provider/pulumi/runs/session";

const [hub, lab] = ["https://github.example", "https://gitlab.example/shop/flags"];
const github = { GITHUB_SERVER_URL: hub, GITHUB_REPOSITORY: "shop/flags", GITHUB_SHA: "abc123" };
const gitlab = { CI_PROJECT_URL: lab, CI_COMMIT_SHA: "abc123" };

test.each<[string, Record<string, string>, string | undefined]>([
  ["a pull request", { ...github, GITHUB_REF: "refs/pull/7/merge" }, `${hub}/shop/flags/pull/7`],
  ["a push", { ...github, GITHUB_REF: "refs/heads/main" }, `${hub}/shop/flags/commit/abc123`],
  ["a merge request", { ...gitlab, CI_MERGE_REQUEST_IID: "7" }, `${lab}/-/merge_requests/7`],
  ["a commit of GitLab", gitlab, `${lab}/-/commit/abc123`],
  ["no pipeline", {}, undefined],
])("the description of a review links to %s", (_, environment, link) => {
  expect(changeLink(environment)).toBe(link);
});
