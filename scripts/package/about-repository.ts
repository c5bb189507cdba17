/** A `package.json`, as far as a release reads and fills it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly keywords: readonly string[];
  /** Unset until somebody names the repository: here, or as a setting of the release. */
  readonly repository?: { readonly type: "git"; readonly url: string };
}

/**
 * The members of a package schema that come from the name of the repository on GitHub: Pulumi finds the plugin among the files of its releases. Empty
 * without one: no other place is known.
 * @param repository `OWNER/NAME`, or an address that ends so
 * @throws Error for another text
 */
export function aboutRepository(repository: string | undefined) {
  if (repository === undefined || repository === "") return {};
  const [, owner, name] = /^(?:.*github\.com[/:])?([\w.-]+)\/([\w.-]+?)(?:\.git)?$/.exec(repository) ?? [];
  if (owner === undefined || name === undefined)
    throw new Error(`"${repository}" is not the name of a repository on GitHub: OWNER/NAME is needed.`);
  const homepage = `https://github.com/${owner}/${name}`;
  return {
    homepage,
    repository: homepage,
    publisher: owner,
    logoUrl: `https://raw.githubusercontent.com/${owner}/${name}/main/docs/logo.svg`,
    pluginDownloadURL: `github://api.github.com/${owner}/${name}`,
  };
}
