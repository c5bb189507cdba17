/** The user has to call the command differently: exit status 2. */
export class UsageError extends Error {}
