/** Message about a provider that no class of this package has made. `whose`: what has it. */
export function foreignProviderText(whose: string): string {
  return (
    `${whose} has a provider that this package did not make, and a key must not go wherever that one leads: nothing was sent. ` +
    "Make the provider with the class Provider of pulumi-feature-console."
  );
}
