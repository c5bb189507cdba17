import { existsSync } from "node:fs";
import path from "node:path";
import { configNamespace } from "../../provider/pulumi/provider-settings";
import { isObject, type JsonObject } from "../../provider/schema/json";

/** The native plugin in the npm package, from the folder that has it. */
const inPackage = ["node_modules", "pulumi-feature-console", "plugin"];

/** The plugin of the npm package in a folder or above, as `plugins.providers` of the project's file names it; undefined without the package. */
export function pluginFolder(folder: string): string | undefined {
  const start = path.resolve(folder);
  for (let place = start; ; place = path.dirname(place)) {
    const found = path.join(place, ...inPackage);
    if (existsSync(found)) return path.relative(start, found).replaceAll(path.sep, "/");
    if (path.dirname(place) === place) return undefined;
  }
}

/** The folder of the plugin that a project's file names, given its content. */
export function namedPluginFolder({ plugins }: JsonObject): string | undefined {
  const providers = isObject(plugins) ? plugins.providers : [];
  const found = (Array.isArray(providers) ? providers : []).find(
    (one) => isObject(one) && one.name === configNamespace,
  );
  return typeof found?.path === "string" ? found.path : undefined;
}
