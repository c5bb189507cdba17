import type {
  Policies,
  PolicyConfigSchema,
  ReportViolation,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";
import {
  isObject,
  type JsonObject,
  kindOfType,
  type Path,
  pathText,
  UNKNOWN,
} from "pulumi-feature-console/facts";
import { type DeclaredResource, differs, leavingObjects, storedObjectOf } from "./changes";
import { type Circumstances, type Finding, parametersOf, type Rule, titleOf } from "./rule";
import type { StackState } from "./state";

/** What the policies are given from outside. */
export interface Surroundings {
  /** The state of the stack to which a resource belongs. */
  readonly stateOf: (urn: string) => Promise<StackState>;
  readonly circumstances: () => Circumstances;
  /** Tells whoever runs Pulumi what is no violation. */
  readonly tell: (note: string) => void;
}

/** What a run of Pulumi has registered so far. */
type Registered = Map<string, DeclaredResource>;

/** The name of the policy that speaks where the state cannot be read. */
export const stateRead = "state-read";

/** Pulumi's policies for rules, and the one that says that those which need the state could judge nothing. */
export function policiesOf(rules: readonly Rule[], surroundings: Surroundings): Policies {
  return [...rules.map((rule) => policyOf(rule, surroundings)), stateReadPolicy(rules, surroundings)];
}

function policyOf(
  rule: Rule,
  surroundings: Surroundings,
): ResourceValidationPolicy & Partial<StackValidationPolicy> {
  const registered: Registered = new Map();
  const { name, description, level: enforcementLevel, parameters } = rule;
  const configSchema: PolicyConfigSchema = { properties: parameters as PolicyConfigSchema["properties"] };
  return {
    ...{ name, description, enforcementLevel, configSchema },
    validateResource: (args, report) => validate(rule, args, { report, registered, surroundings }),
    ...(rule.judgeLeaving === undefined
      ? {}
      : {
          validateStack: (args: StackValidationArgs, report: ReportViolation) =>
            validateLeaving(rule, args, { report, registered, surroundings }),
        }),
  };
}

interface Run {
  readonly report: ReportViolation;
  readonly registered: Registered;
  readonly surroundings: Surroundings;
}

async function validate(rule: Rule, policy: ResourceValidationArgs, run: Run): Promise<void> {
  // Before the first resource of the stack is judged, whatever it is.
  refuseUnreadable(rule, policy.getConfig<JsonObject>());
  const kind = kindOfType(policy.type);
  if (kind === undefined) return;
  const { urn, opts, props } = policy;
  const resource = { urn, kind, args: plainArguments(props), aliases: opts.aliases };
  run.registered.set(urn, resource);
  const { stateOf, circumstances } = run.surroundings;
  const state = rule.needs === "state" ? await stateOf(urn) : { objects: [] };
  if ("problem" in state || rule.judge === undefined) return;
  const stored = storedObjectOf(resource, state.objects);
  const object = {
    ...{ name: policy.name, kind, args: resource.args, before: stored?.state },
    isChanged: stored === undefined || differs(resource.args, withoutInternal(stored.args)),
  };
  const parameters = parametersOf(rule, policy.getConfig<JsonObject>());
  tell(rule.judge(object, parameters, circumstances()), run, { rule, title: titleOf(object), props });
}

/** A rule whose parameters cannot be read would judge nothing, or something else than is meant. */
function refuseUnreadable(rule: Rule, said: JsonObject): void {
  const names = Object.keys(rule.parameters);
  const strange = Object.keys(said).filter((name) => !names.includes(name));
  const problems = [
    ...strange.map((name) => `${name} is no parameter; those of the rule are ${names.join(", ") || "none"}`),
    ...(rule.problemsOf?.(parametersOf(rule, said)) ?? []),
  ];
  if (problems.length === 0) return;
  const lines = problems.map((problem) => `  ${rule.name}.${problem}`);
  const error = new Error(
    `The configuration of the policies cannot be used; correct it in the file of --policy-pack-config:\n${lines.join("\n")}`,
  );
  // Pulumi prints the stack, which would lead into this package.
  error.stack = error.message;
  throw error;
}

async function validateLeaving(rule: Rule, policy: StackValidationArgs, run: Run): Promise<void> {
  const [first] = policy.resources;
  if (first === undefined || rule.judgeLeaving === undefined) return;
  const { stateOf, circumstances } = run.surroundings;
  const state = await stateOf(first.urn);
  if ("problem" in state) return;
  // What was only read, or left out by --target, was not shown to a policy before.
  const declared = policy.resources.flatMap(({ urn, type, opts }): DeclaredResource[] => {
    const kind = kindOfType(type);
    if (kind === undefined) return [];
    return [run.registered.get(urn) ?? { urn, kind, args: undefined, aliases: opts.aliases }];
  });
  const parameters = parametersOf(rule, policy.getConfig<JsonObject>());
  for (const object of leavingObjects(declared, state.objects))
    tell(rule.judgeLeaving(object, parameters, circumstances()), run, {
      rule,
      title: titleOf(object),
      props: {},
    });
}

interface Judged {
  readonly rule: Rule;
  readonly title: string;
  readonly props: JsonObject;
}

function tell(
  findings: readonly Finding[],
  { report, surroundings }: Run,
  { rule, title, props }: Judged,
): void {
  for (const finding of findings)
    if ("message" in finding) report(finding.message);
    else if ("note" in finding) surroundings.tell(finding.note);
  for (const finding of findings) {
    if (!("unknown" in finding)) continue;
    touch(props, finding.unknown);
    const place = pathText(finding.unknown);
    surroundings.tell(`${rule.name} cannot judge ${title}: the state holds ${place} as a secret.`);
  }
}

/** Pulumi's own note that a policy cannot judge what is not known yet comes with reading such a value. */
function touch(props: JsonObject, path: Path): void {
  let value: unknown = props;
  for (const step of path) value = (value as Record<string | number, unknown> | undefined)?.[step];
}

/** Arguments without what this package adds, as plain data. Reading what is not known yet throws. */
function plainArguments(props: JsonObject): JsonObject {
  return withoutInternal(plain(props) as JsonObject);
}

function withoutInternal(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));
}

function plain(value: unknown): unknown {
  const inner = (holder: JsonObject | unknown[], name: string | number): unknown => {
    try {
      return plain((holder as Record<string | number, unknown>)[name]);
    } catch {
      return UNKNOWN;
    }
  };
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, at) => inner(value, at));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, inner(value, name)]));
}

function stateReadPolicy(rules: readonly Rule[], { stateOf }: Surroundings): ResourceValidationPolicy {
  const silent = rules.filter(({ needs }) => needs === "state").map(({ name }) => name);
  // Whatever is registered first asks, the stack itself where a program has nothing left.
  let isTold = false;
  return {
    name: stateRead,
    description: "The state of the stack can be read.",
    enforcementLevel: "mandatory",
    async validateResource({ urn }, report) {
      if (isTold) return;
      const state = await stateOf(urn);
      if (!("problem" in state)) return;
      isTold = true;
      report(
        `\`pulumi stack export\` failed: ${state.problem}. Without it these rules judge nothing: ${silent.join(", ")}. Run the pack where that command works, or set this policy to "advisory".`,
      );
    },
  };
}
