/** Beginning of the Pulumi type of every kind; the PascalCase kind follows. Part of every state: frozen for ever. */
export const typePrefix = "pulumi-nodejs:dynamic/feature-console:";

/** Beginning of the tokens of the native plugin's resources, functions and types. Part of every state: frozen for ever. */
export const nativePrefix = "feature-console:index:";

/** Adapter by which Pulumi reaches the provider of a type of this package. */
export function adapterOf(type: string): "dynamic" | "native" {
  return type.startsWith(nativePrefix) ? "native" : "dynamic";
}

/** The PascalCase kind of a Pulumi type, by whichever adapter; undefined for a resource of another package. */
export function kindInType(type: string): string | undefined {
  const prefix = [typePrefix, nativePrefix].find((one) => type.startsWith(one));
  return prefix === undefined ? undefined : type.slice(prefix.length);
}

/** The name of a PascalCase kind in a sentence: "dynamic config". */
export function kindTitle(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])[A-Z]/g, " $&").toLowerCase();
}

/**
 * The text in state by which Pulumi finds the provider of a kind again. Constant for ever and free of versions, paths and secrets: so
 * it never makes a difference, and a fix reaches refresh and delete of old state at once.
 */
export function providerText({ kind }: { readonly kind: string }): string {
  const name = kind.charAt(0).toLowerCase() + kind.slice(1);
  return `exports.handler = () => require("pulumi-feature-console/dynamic/v1").${name};`;
}
