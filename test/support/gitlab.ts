import { mkdtemp, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { serveHttp } from "./http-server";

const PIPELINE_LIMIT_MS = 240_000;
const runner = path.join(repositoryRoot, "node_modules", ".bin", "gitlab-ci-local");

/** A note of a merge request. */
export interface Note {
  readonly id: number;
  body: string;
  readonly system: boolean;
}

/** The part of GitLab's API that keeps the notes of one merge request. */
export interface FakeGitLab {
  readonly url: string;
  readonly notes: readonly Note[];
  /** A note of somebody else. */
  addNote(body: string): void;
  /** The commit comes from the merge request of these notes. */
  merge(): void;
  close(): Promise<void>;
}

/** Starts it. It answers 401 to every other token, and 404 to everything but these notes and the merge requests of a commit. */
export async function startFakeGitLab(token: string, notesPath: string): Promise<FakeGitLab> {
  const notes: Note[] = [];
  const addNote = (body: string) => notes.push({ id: 100 + notes.length, body, system: false });
  let isMerged = false;
  const requestsOfCommit = notesPath.replace(/merge_requests.*/, "repository/commits/c0ffee/merge_requests");
  const answer = async (request: IncomingMessage): Promise<[status: number, body?: unknown]> => {
    if (request.headers["private-token"] !== token) return [401];
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    const { body = "" } = JSON.parse((await text(request)) || "{}") as { body?: string };
    if (pathname === notesPath && request.method === "GET") return [200, notes];
    if (pathname === requestsOfCommit) return [200, isMerged ? [{ iid: 7, state: "merged" }] : []];
    if (pathname === notesPath && request.method === "POST") return [addNote(body) && 201, notes.at(-1)];
    const note = notes.find(({ id }) => pathname === `${notesPath}/${id}`);
    if (note === undefined || request.method !== "PUT") return [404];
    note.body = body;
    return [200, note];
  };
  const { url, close } = await serveHttp(async (request, response) => {
    const [status, body = {}] = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const merge = () => {
    isMerged = true;
  };
  return { url, notes, addNote, merge, close };
}

/** Checkouts whose file GitLab's schema has let through: it takes most of the time of a pipeline. */
const checked = new Set<string>();

/** What became of a pipeline. */
export interface PipelineResult {
  readonly code: number;
  /** Names of the jobs that it had. */
  readonly jobs: readonly string[];
  readonly output: string;
}

/**
 * Runs a pipeline in a checkout, which must be a Git repository with a remote: gitlab-ci-local checks the file against GitLab's schema once,
 * chooses the jobs by their rules, and runs their lines in order, in a shell of this machine instead of an image.
 */
export async function runPipeline(
  folder: string,
  variables: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Promise<PipelineResult> {
  const own = await mkdtemp(path.join(tmpdir(), "feature-console-gitlab-"));
  // A checkout of the test has the packed package in it, as `npm ci` would have put it there; what is copied is for images.
  for (const [name, done, otherwise] of [
    ["npm", "ci", `PATH='${env.PATH}'; exec npm "$@"`],
    ["rsync", "-a", "exit 1"],
  ])
    await writeFile(path.join(own, `${name}`), `#!/bin/sh\ntest "$1" = ${done} && exit\n${otherwise}\n`, {
      mode: 0o755,
    });
  const args = [
    "--force-shell-executor",
    "--home",
    own,
    "--state-dir",
    path.relative(folder, path.join(own, "state")),
  ];
  const given = Object.entries(variables).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
  const known = ["--ignore-predefined-vars", Object.keys(variables).join(",")];
  if (checked.has(folder)) known.push("--no-json-schema-validation");
  const place = { cwd: folder, env: { ...env, PATH: [own, env.PATH].join(path.delimiter) } };
  const { code, stdout, stderr, problem } = await run(runner, [...args, ...given, ...known], {
    ...place,
    timeoutMs: PIPELINE_LIMIT_MS,
  });
  await removeTree(own);
  const output = [stdout, stderr, problem].join("\n");
  if (code === 0) checked.add(folder);
  const jobs = new Set(Array.from(output.matchAll(/^(\S+) +starting shell/gm), ([, name]) => String(name)));
  return { code, jobs: [...jobs], output };
}
