import { readFileSync } from "node:fs";
import path from "node:path";
import { configNamespace } from "../../src/provider/pulumi/provider-settings";
import { nativePrefix } from "../../src/provider/pulumi/stored-names";
import type { ObjectDefinition } from "../../src/provider/schema/define";
import { aboutRepository, type Manifest } from "../package/about-repository";
import { lookupModels } from "./lookups";
import { describedKind } from "./package-schema/descriptions";
import { functionSpec } from "./package-schema/function-specs";
import { NamedTypes } from "./package-schema/named-types";
import { objectRef } from "./package-schema/object-specs";
import { argumentSpecs, resourceSpec } from "./package-schema/resource-specs";
import { settingSpecs } from "./package-schema/setting-specs";
import type { PackageSpec } from "./package-schema/spec";
import type { KindModel } from "./shapes";

/** The file whose text the native plugin answers when Pulumi asks for its schema. */
export const packageSchemaFile = "src/generated/package-schema.json";

/** Of what a package schema is made. */
export interface Contents {
  readonly models: readonly KindModel[];
  /** The kinds that lookups find. */
  readonly kinds: readonly ObjectDefinition[];
  /** What answers hold beside objects of the kinds. */
  readonly answers: KindModel<ObjectDefinition>;
  /** Kind -> a program of the examples that makes one. */
  readonly typical: ReadonlyMap<string, string>;
}

/** The text of the package schema. `root`: the repository. */
export function packageSchemaText(root: string, contents: Contents): string {
  return `${JSON.stringify(packageSchema(root, contents), undefined, 2)}\n`;
}

function packageSchema(root: string, { models, kinds, answers, typical }: Contents): PackageSpec {
  const types = new NamedTypes(objectRef);
  // Where arguments and lookups share a type, the arguments decide what a program must set.
  for (const model of models) argumentSpecs(types, model);
  const settings = settingSpecs(types, root);
  const byToken = <T>(entries: readonly (readonly [string, T])[]) =>
    Object.fromEntries(entries.map(([name, spec]) => [`${nativePrefix}${name}`, spec]));
  const specs = models.map((model) => [model.definition.kind, resourceSpec(types, model)] as const);
  const functions = lookupModels(kinds).map(
    (lookup) => [lookup.name, functionSpec(types, lookup, answers)] as const,
  );
  const about = aboutPackage(root);
  const valueTypes = { types: types.all(), resources: byToken(specs), language: about.language };
  const resources = specs.map(([kind, spec], at) => {
    const { definition } = models[at] as KindModel;
    return [
      kind,
      { ...spec, description: describedKind(definition, typical.get(kind), valueTypes) },
    ] as const;
  });
  return {
    ...about,
    config: { variables: settings },
    provider: { description: "A console, and how it is treated.", inputProperties: settings },
    types: valueTypes.types,
    resources: byToken(resources),
    functions: byToken(functions),
  };
}

/** The description of the package, whose version is that of the npm package: it holds the plugin. */
function aboutPackage(root: string) {
  const { version, keywords, license, repository } = JSON.parse(
    readFileSync(path.join(root, "package.json"), "utf8"),
  ) as Manifest;
  return {
    name: configNamespace,
    displayName: "Feature Console",
    description: "Feature gates, dynamic configs, segments, layers and more of a feature-management console.",
    ...{ version, keywords: [...keywords, "kind/native", "category/utility"], license },
    ...aboutRepository(repository?.url),
    language,
    meta: { moduleFormat: "(.*)", supportPack: true },
  };
}

/** The names of packages made of the schema. */
const language = {
  nodejs: { packageName: "pulumi-feature-console-sdk", respectSchemaVersion: true },
  python: {
    packageName: "pulumi_feature_console",
    respectSchemaVersion: true,
    pyproject: { enabled: true },
  },
  go: {
    importBasePath: "pulumi-feature-console/sdk/go/featureconsole",
    modulePath: "pulumi-feature-console/sdk/go",
    rootPackageName: "featureconsole",
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: { namespaces: { [configNamespace]: "FeatureConsole" }, respectSchemaVersion: true },
  java: { packages: { [configNamespace]: "featureconsole" } },
};
