/**
 * What the service does where its reference leaves it open: each question with the answers that the console on the desk
 * can give. The first is the default, and the mildest but for `nullConditions`. To add one: a line here, a row of the table in docs/assumptions.md
 * ("Emulator"), a question in tools/verify/switch-questions.ts, and what asks for it: `switches` of a call in kinds/*.ts, of a read in read-forms.ts.
 */
export const switches = {
  /** A condition asks a gate or a segment that is not there. `refuse`: 404 with `errors` (console-api, section 13, row 12). */
  unknownReferences: ["accept", "refuse"],
  /** A rule, or a condition `environment_tier`, names an environment that the project does not have. `refuse`: 400. */
  unknownEnvironments: ["accept", "refuse"],
  /**
   * `targetApps` names an app that is not there. `accept`: kept as it was said; `create`: the app is made; `ignore`: left
   * out of what is kept; `refuse`: 400.
   */
  unknownTargetApps: ["accept", "create", "ignore", "refuse"],
  /** `team` or `teamID` names a team that is not there. `refuse`: 400. */
  unknownTeams: ["accept", "refuse"],
  /** A segment that conditions of others ask is deleted. `refuse`: 400 (console-api, section 13, row 22). */
  deleteSegmentInUse: ["accept", "refuse"],
  /** An id list grows beyond 10,000 ids, which the service allows on request. `refuse`: 400. */
  largeIdLists: ["accept", "refuse"],
  /** A layer is deleted on which only archived experiments stand. `refuse`: the 400 that experiments in use are answered by. */
  deleteLayerUnderArchived: ["accept", "refuse"],
  /** Whether reads of keys show their values (console-api/project.md, section 8: "may be null on read"). */
  keysInReads: ["show", "hide"],
  /** A tag that an object names is not there. `create`: it is made; `ignore`: left out of what is kept; `refuse`: 400. */
  unknownTags: ["create", "ignore", "refuse"],
  /** An operator that is unusual for the type of its condition. `refuse`: 400. */
  unusualOperators: ["accept", "refuse"],
  /**
   * A condition says null for a member that it may leave out. `refuse`: 400, as one client saw it; the description calls these
   * members nullable, `accept`: null is none (console-api/corrections-2.md, section 5).
   */
  nullConditions: ["refuse", "accept"],
  /** Member lists in the partial update of a holdout. `append`: they are added to those that are there, also twice. */
  holdoutMembers: ["replace", "append"],
  /** The `targetingGateID` of a holdout, read. `internal`: another id of the gate than its own. */
  holdoutGateIds: ["own", "internal"],
  /** A gate, experiment or layer joins a holdout that counts by another unit. `refuse`: 400. */
  holdoutUnitTypes: ["accept", "refuse"],
  /** A release pipeline changes while a release goes through it. `refuse`: 400. */
  pipelineInRollout: ["accept", "refuse"],
  /** What a partial update leaves out and declares a default for. `apply`: the default is set. */
  partialDefaults: ["keep", "apply"],
  /** The one target value of a condition, read: as it was sent, as a scalar, as a list. */
  singleTargets: ["sent", "scalar", "list"],
  /**
   * A write to an object whose changes need a review, by its own setting, its team's or the project's. `apply`: the key stands
   * above reviews; `asked`: the same, but for requests with the header `x-respect-review-settings`, which get a 400; `refuse`: 400
   * (console-api, section 13, row 3); `forbid`: 403; `hold`: answered with the object as it stays, and the console opens a review.
   */
  requiredReviews: ["apply", "asked", "refuse", "forbid", "hold"],
  /** Reviews of one object that may be open at a time. `one`: the next is a 400. */
  openReviews: ["several", "one"],
  /** A rule of a gate lets more pass than before, and the body does not say `gradual_rollout_strategy`. `refuse`: 400. */
  suddenRises: ["accept", "refuse"],
  /** A write to a template, whose reference says that this API cannot change it. `refuse`: 400. */
  templateWrites: ["accept", "refuse"],
  /** The `type` of a template, read: as it was said, or TEMPLATE. */
  templateTypes: ["said", "template"],
  /** Members without a value, read: as they are stored, not at all, as null, as "". */
  emptyMembers: ["stored", "absent", "null", "text"],
  /** An object in a body none of whose members has a value: as if it had been left out, or stored as it is. An owner is never stored so. */
  emptyObjects: ["absent", "stored"],
  /** Defaults, read: where something was stored, all of them, or not at all. */
  filledDefaults: ["stored", "all", "none"],
  /** The read of overrides of a gate or holdout that has none. `missing`: 404. */
  absentOverrides: ["empty", "missing"],
  /** The read of an ingestion schedule that nobody set. `missing`: 404. */
  unsetSchedules: ["usual", "missing"],
  /** Objects of a list: as a read of one shows them, or without what is long. */
  listedMembers: ["all", "fewer"],
} as const satisfies Record<string, readonly [string, ...string[]]>;

/** Those that stand for policies of a project, under which some programs are refused whatever the client does. */
export const policies = [
  "requiredReviews",
  "suddenRises",
] as const satisfies readonly (keyof typeof switches)[];

/** One answer to each question. */
export type Switches = { readonly [Name in keyof typeof switches]: (typeof switches)[Name][number] };

/** The mildest answer to each question. */
export const mildest: Switches = completeSwitches({});

/** Some answers and the mildest to the other questions. @throws an error that names an unknown question or answer and the choices. */
export function completeSwitches(given: Readonly<Record<string, string | undefined>>): Switches {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(switches, name))
      throw new Error(`behaviour.${name}: there is none; there are ${Object.keys(switches).join(", ")}`);
    const choices: readonly string[] = switches[name as keyof typeof switches];
    if (value !== undefined && !choices.includes(value))
      throw new Error(`behaviour.${name}: takes ${choices.join(" or ")}, not "${value}"`);
  }
  return Object.fromEntries(
    Object.entries(switches).map(([name, [first]]) => [name, given[name] ?? first]),
  ) as Switches;
}
