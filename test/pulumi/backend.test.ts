import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { backendDigest } from "../../src/provider/pulumi/runs/own-stack";
import { freshFolder } from "../support/folders";

// Which backend keeps the state of a run: as the CLI finds it, and two spellings of one place are one.

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

const digestBy = (environment: Record<string, string>, at: string | undefined = folder) =>
  backendDigest({ environment, folder: at });
const of = (url: string) => digestBy({ PULUMI_BACKEND_URL: url, HOME: "/home/ana" });

function projectWith(text: string, name = "Pulumi.yaml"): void {
  writeFileSync(path.join(folder, name), text);
}

function loggedInTo(url: string, within = "home"): string {
  const home = path.join(folder, within);
  mkdirSync(home, { recursive: true });
  const accounts = { [url]: { accessToken: "none" } };
  writeFileSync(path.join(home, "credentials.json"), JSON.stringify({ current: url, accounts }));
  return home;
}

test("nothing names it: it is not known", () => {
  expect(digestBy({})).toBeUndefined();
  projectWith("name: flags\nruntime: nodejs\n");
  expect(digestBy({ PULUMI_BACKEND_URL: " ", PULUMI_HOME: path.join(folder, "nowhere") })).toBeUndefined();
  expect(of("no address")).toBeUndefined();
  expect(backendDigest({ environment: { PULUMI_BACKEND_URL: "file://~" }, folder })).toBeUndefined();
});

test("the environment counts before the project's file, and that before the login", () => {
  const home = loggedInTo("https://api.pulumi.com");
  const login = digestBy({ PULUMI_HOME: home });
  expect(login).toMatch(/^[\w-]{12}$/);
  expect(digestBy({ PULUMI_CREDENTIALS_PATH: home })).toBe(login);
  expect(digestBy({ HOME: path.dirname(loggedInTo("https://api.pulumi.com", "user/.pulumi")) })).toBe(login);
  projectWith("name: flags\nbackend:\n  url: s3://state\n");
  expect(digestBy({ PULUMI_HOME: home })).toBe(of("s3://state"));
  expect(digestBy({ PULUMI_HOME: home, PULUMI_BACKEND_URL: "gs://state" })).toBe(of("gs://state"));
  expect(new Set([login, of("s3://state"), of("gs://state")]).size).toBe(3);
});

test.each([
  ["name: flags\nbackend:\n  url: s3://state/flags\nruntime: nodejs\n", "Pulumi.yaml"],
  ['backend: # where it is\n\n  # here\n  url: "s3://state/flags"\n', "Pulumi.yml"],
  ["backend: { url: 's3://state/flags' }\n", "Pulumi.yaml"],
  ["name: flags\r\nbackend:\r\n    url: s3://state/flags # shared\r\n", "Pulumi.yaml"],
  ['{ "name": "flags", "backend": { "url": "s3://state/flags" } }', "Pulumi.json"],
])("a project's file names it: %j", (text, name) => {
  projectWith(text, name);
  expect(digestBy({})).toBe(of("s3://state/flags"));
  mkdirSync(path.join(folder, "program"));
  expect(digestBy({}, path.join(folder, "program"))).toBe(of("s3://state/flags"));
});

test("a url elsewhere in the file is none of a backend", () => {
  projectWith("name: flags\nconfig:\n  url: s3://state\nbackend:\nruntime: nodejs\nurl: s3://state\n");
  expect(digestBy({})).toBeUndefined();
});

describe("one place", () => {
  test.each([
    ["user and password", "postgres://ana:none@db:5432/state", "postgres://ben:other@DB:5432/state"],
    ["how to get there", "s3://state/flags?region=eu-west-1&profile=ana", "s3://state/flags/?awssdk=v2"],
    ["a scheme", "s3://state?endpoint=minio:9000", "s3://state?endpoint=http://a:b@minio:9000"],
    ["a home", "file://~/state", "file:///home/ana/state?no_tmp_dir=true"],
  ])("in spite of %s", (_, one, other) => {
    expect(of(one)).toBe(of(other));
    expect(of(one)).toMatch(/^[\w-]{12}$/);
  });

  test("a folder in the project, wherever that is checked out", () => {
    projectWith("name: flags\n");
    expect(of("file://./state")).toBe(of(`file://${folder}/state`));
    expect(digestBy({ PULUMI_BACKEND_URL: "file://./state" }, "/srv")).toBe(of("file://./state"));
  });
});

test.each([
  ["file:///srv/one", "file:///srv/two"],
  ["file://./one", "file://./two"],
  ["s3://state", "gs://state"],
  ["s3://state?endpoint=minio:9000", "s3://state"],
  ["https://api.pulumi.com", "https://pulumi.example.com"],
])("two places: %s and %s", (one, other) => {
  expect(of(one)).not.toBe(of(other));
});
