import { git } from "../stack/origin";

/** File in which GitHub and GitLab read who reviews which files; of use at the root of a repository. */
export const codeOwnersFile = "CODEOWNERS";

/**
 * The text of a `CODEOWNERS` that makes each team the owner of its own files. `groups`: name of the team, as a file has it, by
 * file; undefined for files of no team, which get no owner.
 */
export function codeOwnersText(
  groups: ReadonlyMap<string, string | undefined>,
  { organization, prefix }: ReturnType<typeof repositoryOf>,
): string {
  const owner = organization ?? "ORGANIZATION";
  const lines = [...groups].flatMap(([file, team]) =>
    team === undefined ? [] : [`/${`${prefix}${file}`.replaceAll(" ", "\\ ")} @${owner}/${team}`],
  );
  const comments = [
    "# Each team of the console reviews its own flags. The teams of the repository need the same names.",
    organization === undefined && "# Put the name of your organization in the place of ORGANIZATION.",
    prefix !== "" && "# Add these lines to the CODEOWNERS at the root of the repository.",
  ].filter(Boolean);
  return `${[...comments, ...lines.sort()].join("\n")}\n`;
}

/** The repository of a folder, by what git says; nothing is known of a folder without git. */
export function repositoryOf(folder: string) {
  return {
    /** Its owner, such as `acme` or `acme/platform`; undefined: not known. */
    organization: organizationOf(git(folder, "remote", "get-url", "origin")),
    /** The folder from the root of the repository, such as `infra/flags/`; empty: its root. */
    prefix: git(folder, "rev-parse", "--show-prefix"),
  };
}

/** `acme` of `git@github.com:acme/flags.git` and of `https://github.com/acme/flags`. */
export function organizationOf(remote: string): string | undefined {
  return /^(?:[a-z+]+:\/\/[^/]+\/|[^/:]+:\/?)(.+)\/[^/]+$/.exec(remote)?.[1];
}
