import type { Environment } from "../provider-settings";

/** Page about the change that a pipeline applies: its pull or merge request, else its commit. */
export function changeLink(environment: Environment): string | undefined {
  const {
    GITHUB_SERVER_URL: host,
    GITHUB_REPOSITORY: repository,
    GITHUB_REF: ref,
    GITHUB_SHA: commit,
  } = environment;
  const { CI_PROJECT_URL: project, CI_MERGE_REQUEST_IID: request, CI_COMMIT_SHA: sha } = environment;
  if (host !== undefined && repository !== undefined) {
    const pull = /^refs\/pull\/(\d+)\//.exec(ref ?? "")?.[1];
    if (pull !== undefined) return `${host}/${repository}/pull/${pull}`;
    if (commit !== undefined) return `${host}/${repository}/commit/${commit}`;
  }
  if (project === undefined) return undefined;
  if (request !== undefined) return `${project}/-/merge_requests/${request}`;
  return sha === undefined ? undefined : `${project}/-/commit/${sha}`;
}
