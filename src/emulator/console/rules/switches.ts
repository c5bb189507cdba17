import { guess } from "../../../provider/texts/misspelling";

/** An open question of the service's reference, which a switch of the emulator answers. */
interface Switch {
  /** The question, as `verify` asks it. */
  readonly asked: string;
  /** Behaviour of the emulator under each answer, as docs/assumptions.md shows it. */
  readonly does: string;
  /** The answers, each with its consequence for a program. The first is the default, and the mildest but for `nullConditions`. */
  readonly answers: Readonly<Record<string, string>>;
  /** True for a policy of a project, under which some programs are refused whatever the client does. */
  readonly isPolicy?: true;
}

/** Answers of one consequence. */
const alike = <const A extends string>(answers: readonly A[], consequence: string) =>
  Object.fromEntries(answers.map((answer) => [answer, consequence])) as Record<A, string>;

/**
 * Every switch. To add one: an entry here, its probe in tools/verify/switch-questions.ts, and what asks for it: `switches` of a call
 * in kinds/*.ts, of a read in read-forms.ts. `emulate --help` and the table of docs/assumptions.md follow.
 */
export const switches = {
  unknownReferences: {
    asked: "Does a condition accept a gate that does not exist?",
    does: "a condition asks a gate or segment that is not there, or an id of the other kind: taken, or a 404 with `errors`, as for a holdout",
    answers: {
      accept: "The order of creation does not matter.",
      refuse: "Pass the id of the gate or segment as an output, so that it is created first.",
    },
  },
  unknownEnvironments: {
    asked: "Does a rule accept an environment that the project does not have?",
    does: "`environments` of a rule, or a condition `environment_tier`, names what the project does not have: taken, or a 400 with `errors`",
    answers: {
      accept: "A misspelt environment shows only in the warning of a preview.",
      refuse: "Declare the environment before the rules that name it.",
    },
  },
  unknownTargetApps: {
    asked: "What happens to a target app that does not exist?",
    does: "`targetApps` of an object names an app that is not there: the object keeps the name; the app is made; the object drops the name; a 400 with `errors`",
    answers: {
      accept: "The object keeps the name.",
      create: "The console creates the target app: destroy does not remove it.",
      ignore: "The console drops the name, and the update fails: declare the target app first.",
      refuse: "Declare the target app, and pass its name as an output.",
    },
  },
  unknownTeams: {
    asked: "Does a gate accept a team that does not exist?",
    does: "`team` or `teamID` of an object names a team that is not there: taken, or a 400 with `errors`",
    answers: {
      accept: "The gate keeps the name: a misspelt team shows nowhere.",
      refuse: "Declare the team, and pass its name as an output.",
    },
  },
  deleteSegmentInUse: {
    asked: "Can a segment be deleted while a gate asks it?",
    does: "a segment is deleted that conditions of a gate, config or segment in use ask: it goes, or a 400 that names them",
    answers: {
      accept: "The provider looks for the users of a segment before it deletes one.",
      refuse: "The console protects a segment in use by itself.",
    },
  },
  largeIdLists: {
    asked: "Does the console accept an id list of more than 10,000 ids?",
    does: "an id list grows beyond 10,000 ids: taken, or a 400",
    answers: {
      accept: "No list is too large for the project's plan.",
      refuse: "Ask the service for larger lists, or split the segment.",
    },
  },
  deleteLayerUnderArchived: {
    asked: "Can a layer be deleted while an archived experiment is in it?",
    does: "a layer is deleted on which only archived experiments stand: it goes, or the 400 that experiments in use are answered by",
    answers: {
      accept: "A layer goes with the program.",
      refuse: 'Set onDelete: "retain" on layers, or delete their archived experiments in the console first.',
    },
  },
  keysInReads: {
    asked: "Does the list of keys show the values of the keys?",
    does: "`key` of an API key, read: its value, or null but in the answers of create and rotate",
    answers: {
      show: "doctor and import know whether the key may write.",
      hide: "doctor and import do not know whether the key may write.",
    },
  },
  unknownTags: {
    asked: "What happens to a tag that does not exist?",
    does: "`tags` of an object names a tag that is not there: the tag is made; the object drops the name; a 400 with `errors`",
    answers: {
      create: "The console creates the tag: destroy does not remove it.",
      ignore: "The console drops the tag, and the update fails: declare the tag first.",
      refuse: "Declare the tag, and pass its name as an output.",
    },
  },
  unusualOperators: {
    asked: "Does a condition accept an operator that is unusual for its type?",
    does: "the operator of a condition is not among the usual ones of its type: taken, or a 400 with `errors`",
    answers: {
      accept: "fc.unusual works as documented.",
      refuse: "fc.unusual fails: use the operators of the reference.",
    },
  },
  // One client saw the refusal; the description calls these members nullable.
  nullConditions: {
    asked: "Does a condition accept null for a member that it may leave out?",
    does: "`operator`, `field`, `customID` or `targetValue` of a condition is null: a 400, or as if it had been left out",
    answers: alike(["refuse", "accept"], "Nothing: the provider leaves such members out."),
  },
  holdoutMembers: {
    asked: "Does PATCH of a holdout replace its gates, or add to them?",
    does: "PATCH of a holdout names members: they take the place of those that are there, or are added, also twice",
    answers: alike(
      ["replace", "append"],
      "The provider sends a holdout whole: a gate that the program removes leaves it.",
    ),
  },
  holdoutGateIds: {
    asked: "Does a read of a holdout show the targeting gate by its own id?",
    does: "`targetingGateID` of a holdout, read: the id of the gate, or another one",
    answers: alike(
      ["own", "internal"],
      "The provider compares only whether there is a targeting gate: another one is no drift.",
    ),
  },
  holdoutUnitTypes: {
    asked: "Does a holdout accept a gate of another unit type?",
    does: "a gate, experiment or layer joins a holdout that counts by another unit type: taken, or a 400 with `errors`",
    answers: {
      accept: "The holdout holds the gate, whose results it cannot compare.",
      refuse: "Declare a holdout for each unit type.",
    },
  },
  pipelineInRollout: {
    asked: "Can a release pipeline be changed while a release goes through it?",
    does: "a release pipeline changes while a release goes through it: taken, for later releases, or a 400",
    answers: {
      accept: "The change is for later releases.",
      refuse: "pulumi up fails until the release is over, or ended by an action.",
    },
  },
  partialDefaults: {
    asked: "Does PATCH of a dynamic config keep isEnabled where the body leaves it out?",
    does: "PATCH of a config, tag or metric without `isEnabled`, `isCore` or `directionality`: it stays, or becomes what is declared as its default",
    answers: {
      keep: "Partial updates change only what they name.",
      apply: "The provider sends these members with each update, as it does today.",
    },
  },
  singleTargets: {
    asked: "In which form does a read show the only target value of a condition?",
    does: "the one target value of a condition, read: as it was sent, as a scalar, as a list of one",
    answers: {
      sent: "As it was sent.",
      scalar: "As a scalar: the provider treats both forms as equal.",
      list: "As a list: the provider treats both forms as equal.",
    },
  },
  requiredReviews: {
    asked: "Does a write apply to a gate whose changes need a review?",
    does: "a change that needs a review: it applies; it applies without the header `x-respect-review-settings`, else a 400; a 400; a 403; it waits in a new review",
    answers: {
      apply: 'pulumi up changes objects under review: restrict who may run it, or set reviews: "open".',
      asked: 'pulumi up changes objects under review, unless reviews is "respect" or "open".',
      refuse: 'Set reviews: "open", or commit a review in the console before pulumi up.',
      forbid: 'Set reviews: "open", or commit a review in the console before pulumi up.',
      hold: 'Set reviews: "open": without it pulumi up fails, and the console opens a review for each attempt.',
    },
    isPolicy: true,
  },
  openReviews: {
    asked: "How many reviews of a gate may be open at a time?",
    does: "a second review of an object while one is open: opened, or a 400",
    answers: {
      several: "pulumi up opens a review for each change of an object.",
      one: "pulumi up opens the next review of an object after the first is committed.",
    },
  },
  suddenRises: {
    asked: "Does the console accept a percentage that rises at once?",
    does: "a rule of a gate lets more pass than before, or is new and lets a user pass: taken, or a 400 unless the body has `gradual_rollout_strategy`",
    answers: {
      accept: "No rollout strategy is needed.",
      refuse: "Set gradualRolloutStrategy on gates whose percentage rises.",
    },
    isPolicy: true,
  },
  templateWrites: {
    asked: "Can a template be changed through the API?",
    does: "a write to a gate or config with `isTemplate`: it applies, or a 400",
    answers: {
      accept: "Templates are managed like other gates.",
      refuse: "Change templates in the console, and declare them with ignoreChanges.",
    },
  },
  templateTypes: {
    asked: "Which type does a read of a template show?",
    does: "`type` of a gate or config with `isTemplate`, read: as it was set, or `TEMPLATE`",
    answers: {
      said: "The one that was set.",
      template: "TEMPLATE: the provider does not compare it.",
    },
  },
  emptyMembers: {
    asked: "In which form does a read show a text without a value?",
    does: 'text without a value, read: as it is stored, not at all, as null, as `""`',
    answers: alike(
      ["stored", "absent", "null", "text"],
      "The provider treats all forms of an empty member as equal.",
    ),
  },
  emptyObjects: {
    asked: "Does the console store an object without any value?",
    does: "an object without a value in a body, such as `warehouseNative: {}` of a metric: left out, or stored as it is; an empty `owner` is always left out",
    answers: {
      absent: "An empty object in a program means the same as none.",
      stored: "The console keeps an empty object that a program sets.",
    },
  },
  filledDefaults: {
    asked: "Which defaults does a read show?",
    does: "defaults, read: where something was stored, all of them, or not at all",
    answers: {
      stored: "Those that were stored.",
      all: "All: the provider knows them, and compares with them.",
      none: "None: the provider knows them, and compares with them.",
    },
  },
  absentOverrides: {
    asked: "What does a read of the overrides of a gate show that has none?",
    does: "the overrides of a gate or holdout that has none, read: empty lists, or a 404",
    answers: {
      empty: "Empty lists.",
      missing: "404: the provider reads the gate too, and takes it that there are none.",
    },
  },
  unsetSchedules: {
    asked: "Does the console show the schedule of every dataset?",
    does: "a schedule that was never set, read: at 10, or a 404",
    answers: {
      usual: "A preview shows the hour that an IngestionSchedule would change.",
      missing: "404 until it is set: a preview shows no hour before.",
    },
  },
  listedMembers: {
    asked: "Does a list show as much of an object as a read of the object does?",
    does: "objects in a list, where there is a read of one too: as that shows them, or without nested objects",
    answers: {
      all: "A refresh reads lists: about one request for a hundred objects.",
      fewer: "A refresh reads each object by itself.",
    },
  },
} as const satisfies Record<string, Switch>;

/** The name of a switch. */
export type SwitchName = keyof typeof switches;

/** One answer to each question. */
export type Switches = { readonly [Name in SwitchName]: keyof (typeof switches)[Name]["answers"] & string };

/** The switches with the names of their answers, the default first. */
export const switchAnswers = Object.entries<Switch>(switches).map(
  ([name, { answers }]) => [name as SwitchName, Object.keys(answers)] as const,
);

/** The mildest answer to each question. */
export const mildest: Switches = completeSwitches({});

/** Some answers and the mildest to the other questions. @throws an error that names an unknown question or answer and the choices. */
export function completeSwitches(given: Readonly<Record<string, string | undefined>>): Switches {
  const known = new Map<string, readonly string[]>(switchAnswers);
  const names = [...known.keys()];
  for (const [name, value] of Object.entries(given)) {
    const choices = known.get(name);
    if (choices === undefined)
      throw new Error(
        `behaviour.${name}: there is none${guess(name, names) || `; there are ${names.join(", ")}`}`,
      );
    if (value !== undefined && !choices.includes(value))
      throw new Error(
        `behaviour.${name}: takes ${choices.join(" or ")}, not "${value}"${guess(value, choices)}`,
      );
  }
  return Object.fromEntries(switchAnswers.map(([name, [first]]) => [name, given[name] ?? first])) as Switches;
}
