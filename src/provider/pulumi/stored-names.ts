/** What the Pulumi type of every kind begins with; the PascalCase kind follows. Part of every state: frozen for ever. */
export const typePrefix = "pulumi-nodejs:dynamic/feature-console:";

/**
 * The text in state by which Pulumi finds the provider of a kind, given in camelCase, again. Constant for ever and free of
 * versions, paths and secrets: so it never makes a difference, and a fix reaches refresh and delete of old state at once.
 */
export function providerText({ name }: { readonly name: string }): string {
  return `exports.handler = () => require("pulumi-feature-console/dynamic/v1").${name};`;
}
