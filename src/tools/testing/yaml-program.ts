import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as classes from "../../generated/native-classes";
import { NativeProvider } from "../../provider/pulumi/explicit-provider";
import { configNamespace } from "../../provider/pulumi/provider-settings";
import { nativePrefix } from "../../provider/pulumi/stored-names";
import { messageOf } from "../../provider/schema/errors";
import type { Path } from "../../provider/schema/path";
import { guess } from "../../provider/texts/misspelling";
import { type Expression, type Members, placeIn, YamlProblem } from "../yaml/expression";
import type { DeclaredResource, YamlProgram } from "../yaml/program-file";
import { type Reference, referenceText } from "../yaml/reference";
import { listedError, type PlaceOf } from "./program-mocks";

/** Project, stack and configuration of a program. */
export interface ProgramSettings {
  readonly project: string;
  readonly stack: string;
  readonly config: Readonly<Record<string, unknown>>;
}

type Construct = new (name: string, args: object, options: pulumi.CustomResourceOptions) => pulumi.Resource;

/** Makes the resources of a program in YAML. @throws Error with all that is wrong, each line with its place. */
export function makeYamlResources(program: YamlProgram, settings: ProgramSettings): void {
  if (!program.resources.some(({ type }) => type.startsWith(nativePrefix)))
    throw new Error(`${program.file} has no resource whose type begins with "${configNamespace}:"`);
  const run = new Run(program, settings);
  const problems = new Set<string>();
  const attempt = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      problems.add(messageOf(error));
    }
  };
  for (const { key } of program.resources) attempt(() => run.named(key));
  for (const one of [...program.variables.values(), ...program.outputs.values()])
    attempt(() => run.value(one));
  if (problems.size > 0) throw listedError(problems);
}

/** Places of the arguments with which texts of problems begin. */
export function placesIn({ resources }: YamlProgram): PlaceOf {
  return (type, name, problem) => {
    const found = resources.find((one) => one.type === type && one.name === name);
    return found && placeIn(found.properties, stepsIn(problem));
  };
}

/** The steps of the path with which a text begins: `rules[0].name: found 1`; none where it begins otherwise. */
function stepsIn(text: string): Path {
  const [path = ""] = /^[\w.[\]-]+(?=: )/.exec(text) ?? [];
  return path.split(/[.[\]]+/).filter((step) => step !== "");
}

/** Functions of Pulumi's YAML that need nothing but their argument. */
const calls: Readonly<Record<string, (argument: never, folder: string) => unknown>> = {
  "fn::secret": (value: unknown) => pulumi.secret(value),
  "fn::stringasset": (text: string) => new pulumi.asset.StringAsset(text),
  "fn::fileasset": (file: string, folder) => new pulumi.asset.FileAsset(path.resolve(folder, file)),
};

/** One run of a program. A name is evaluated once, when something asks for it, so that the order of the file does not matter. */
class Run {
  readonly #program: YamlProgram;
  readonly #makers: ReadonlyMap<string, () => unknown>;
  readonly #made = new Map<string, unknown>();
  readonly #open = new Set<string>();

  constructor(program: YamlProgram, { project, stack, config }: ProgramSettings) {
    this.#program = program;
    const ownName = (name: string) =>
      name.startsWith(`${project}:`) ? name.slice(project.length + 1) : name;
    const given = Object.fromEntries(Object.entries(config).map(([name, value]) => [ownName(name), value]));
    this.#makers = new Map<string, () => unknown>([
      ...Object.entries(given).map(([name, value]) => [name, () => value] as const),
      ...[...program.config].map(
        ([name, one]) => [ownName(name), () => this.#configValue(ownName(name), one, given)] as const,
      ),
      ...[...program.variables].map(([name, one]) => [name, () => this.value(one)] as const),
      ...program.resources.map((one) => [one.key, () => this.#resource(one)] as const),
      ["pulumi", () => ({ cwd: program.folder, project, stack, organization: "organization" })],
    ]);
  }

  /** The value of a name. @throws YamlProblem. `place`: of the reference. */
  named(name: string, place = this.#program.file): unknown {
    if (this.#made.has(name)) return this.#made.get(name);
    const make = this.#makers.get(name);
    if (make === undefined) throw new YamlProblem(place, unknownName(name, [...this.#makers.keys()]));
    if (this.#open.has(name))
      throw new YamlProblem(
        place,
        `the references go round in a circle: ${[...this.#open, name].join(" -> ")}`,
      );
    this.#open.add(name);
    try {
      const value = make();
      this.#made.set(name, value);
      return value;
    } finally {
      this.#open.delete(name);
    }
  }

  /** The value of an expression. @throws YamlProblem. */
  value(one: Expression): unknown {
    switch (one.is) {
      case "literal":
        return one.value ?? undefined;
      case "list":
        return one.items.map((item) => this.value(item));
      case "object":
        return this.#members(one.members);
      case "call":
        return this.#called(one.name, one.argument);
      case "text": {
        const parts = one.parts.map((part) =>
          typeof part === "string" ? part : this.#referred(part, one.place),
        );
        if (parts.length === 1) return parts[0];
        return parts.some((part) => pulumi.Output.isInstance(part))
          ? pulumi.all(parts).apply((texts) => texts.join(""))
          : parts.join("");
      }
    }
  }

  #members(members: Members): Record<string, unknown> {
    return Object.fromEntries([...members].map(([name, member]) => [name, this.value(member)]));
  }

  #called(name: string, argument: Expression): unknown {
    const call = calls[name.toLowerCase()];
    if (call === undefined)
      throw new YamlProblem(
        argument.place,
        `flagsOf cannot evaluate ${name}; it evaluates ${Object.keys(calls).join(", ")}`,
      );
    return call(this.value(argument) as never, this.#program.folder);
  }

  #configValue(name: string, one: Expression, given: Readonly<Record<string, unknown>>): unknown {
    if (given[name] !== undefined) return given[name];
    const declared: Members = one.is === "object" ? one.members : new Map([["value", one]]);
    const value = declared.get("value") ?? declared.get("default");
    if (value === undefined)
      throw new YamlProblem(
        one.place,
        `config "${name}" has no default: set it by { config: { ${name}: VALUE } }`,
      );
    const secret = declared.get("secret");
    return secret?.is === "literal" && secret.value === true
      ? pulumi.secret(this.value(value))
      : this.value(value);
  }

  #resource({ key, place, typePlace, type, name, properties, options, readId }: DeclaredResource): unknown {
    const Class = classOf(type, typePlace);
    const args = this.value(properties) as object;
    const given = this.value(options) as pulumi.CustomResourceOptions;
    try {
      if (readId === undefined) return new Class(name, args, given);
      return new Class(name, {}, { ...given, id: this.value(readId) as pulumi.Input<string> });
    } catch (error) {
      throw error instanceof YamlProblem ? error : new YamlProblem(place, `${key}: ${messageOf(error)}`);
    }
  }

  #referred(reference: Reference, place: string): unknown {
    const text = referenceText(reference);
    const root = this.named(reference.root, place);
    const [first, ...rest] = reference.path;
    if (!pulumi.Resource.isInstance(root)) return memberAt(root, reference.path, { text, place });
    if (first === undefined) return root;
    const outputs = Object.getOwnPropertyNames(root).filter((name) =>
      pulumi.Output.isInstance((root as unknown as Record<string, unknown>)[name]),
    );
    if (!outputs.includes(String(first)))
      throw new YamlProblem(place, `${text}: ${unknownName(String(first), outputs)}`);
    return memberAt((root as unknown as Record<string, unknown>)[first], rest, { text, place });
  }
}

/** The value at a path. @throws YamlProblem where there is none; an output rejects with it. */
function memberAt(
  value: unknown,
  steps: Path,
  asked: { readonly text: string; readonly place: string },
): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (pulumi.Output.isInstance(value)) return value.apply((known) => memberAt(known, steps, asked));
  const inner = (value as Record<string | number, unknown> | undefined)?.[step];
  if (inner === undefined)
    throw new YamlProblem(asked.place, `${asked.text}: nothing has the name "${step}" there`);
  return memberAt(inner, rest, asked);
}

function unknownName(name: string, known: readonly string[]): string {
  return `nothing has the name "${name}"${guess(name, known)}`;
}

/** The class of a type. Resources of other packages have their arguments as outputs. */
function classOf(type: string, place: string): Construct {
  if (type === `pulumi:providers:${configNamespace}`) return NativeProvider as unknown as Construct;
  if (type === "pulumi:pulumi:StackReference") return pulumi.StackReference as unknown as Construct;
  if (!type.startsWith(`${configNamespace}:`)) return foreignClass(type);
  const kind = type.slice(nativePrefix.length);
  const Class = (classes as unknown as Readonly<Record<string, Construct>>)[kind];
  if (Class === undefined)
    throw new YamlProblem(place, `${type}: ${unknownName(kind, Object.keys(classes))}`);
  return Class;
}

function foreignClass(type: string): Construct {
  return class extends pulumi.CustomResource {
    constructor(name: string, args: object, options: pulumi.CustomResourceOptions) {
      super(type, name, args as pulumi.Inputs, options);
    }
  };
}
