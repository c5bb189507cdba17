import { existsSync } from "node:fs";
import path from "node:path";
import { configNamespace } from "../../provider/pulumi/provider-settings";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { foldersFrom } from "./package-manager";

/** The native plugin in the npm package, from the folder that has it. */
const inPackage = ["node_modules", "pulumi-feature-console", "plugin"];

/** The plugin of the npm package in a folder or above, as `plugins.providers` of the project's file names it; undefined without the package. */
export function pluginFolder(folder: string): string | undefined {
  const places = foldersFrom(folder).map((place) => path.join(place, ...inPackage));
  const found = places.find((place) => existsSync(place));
  return found && path.relative(path.resolve(folder), found).replaceAll(path.sep, "/");
}

/** The folder of the plugin that a project's file names, given its content. */
export function namedPluginFolder({ plugins }: JsonObject): string | undefined {
  const providers = isObject(plugins) ? plugins.providers : [];
  const found = (Array.isArray(providers) ? providers : []).find(
    (one) => isObject(one) && one.name === configNamespace,
  );
  return typeof found?.path === "string" ? found.path : undefined;
}
