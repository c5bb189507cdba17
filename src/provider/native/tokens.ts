/** What the tokens of this package's resources, functions and types begin with. Part of every state: frozen for ever. */
export const tokenPrefix = "feature-console:index:";
