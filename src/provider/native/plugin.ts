import { isMissing, nameOf, read } from "../engine";
import { argumentsOf } from "../engine/expressed/resource-arguments";
import { programNote } from "../pulumi/arguments/program-note";
import { previewCreate } from "../pulumi/previews/create-preview";
import type { ProviderProcess } from "../pulumi/process";
import { absent, type Provider, providerOf } from "../pulumi/provider";
import {
  type ConfigReader,
  configNamespace,
  isDefaultProvider,
  isExplicit,
} from "../pulumi/provider-settings";
import { digestOf } from "../pulumi/runs/console-digest";
import { consoleIn, type KnownConsole } from "../pulumi/runs/console-guard";
import type { StoredObject } from "../pulumi/runs/exported-state";
import { kindOfType } from "../pulumi/runs/kind-of-type";
import { marksOf, newSelf, outputsOf } from "../pulumi/runs/state-marks";
import { inputNames, type ResourceDefinition, secretNames } from "../schema/define";
import { invalidArgument, objectExists } from "../schema/errors";
import { managedMember, programMember, resourceMember, selfMember } from "../schema/internal";
import { type JsonObject, picked } from "../schema/json";
import { type Path, valueAt } from "../schema/path";
import { urnParts } from "../schema/urn";
import { shownIn } from "../values/hidden-state";
import { managedBefore } from "../values/managed";
import { Calls } from "./calls";
import { type Difference, detailedDiff, type LastValues } from "./detailed-diff";
import { previewedId, previewedState, printedArguments, withoutIds, withReferenceNames } from "./kind-values";
import { isStartedByPulumi } from "./settings";
import type { Received } from "./values";

/** A resource as the engine names it: `urn:pulumi:STACK::PROJECT::TYPE::NAME`. */
export type Urn = string;

/** Result of a diff that finds a change. */
export interface PlannedChange {
  readonly differences: readonly Difference[];
  /** Names of the arguments whose change replaces the object. */
  readonly replaces: readonly string[];
  /** The old object goes before the new one is created. */
  readonly deletesFirst: boolean;
}

/** An object with its id and state. */
export interface Stored {
  readonly id: string;
  readonly state: JsonObject;
}

/** A resource of the program, with what the provider needs to act for it. */
interface Subject {
  readonly definition: ResourceDefinition;
  readonly provider: Provider;
  readonly name: string;
  /** The hidden input by which the engine room knows the resource. */
  readonly mark: JsonObject;
}

/** Objects that Pulumi shows later are then compared one by one. */
const consolesUncheckedText =
  'The Pulumi CLI did not export the state: not known whether it names another console than the settings lead to. Put "pulumi" on the PATH.';

/**
 * The calls of Pulumi's engine, in plain values: the native counterpart of the class of a dynamic resource. Each call goes on to the
 * same provider of the kind; what a class would have noted in the program, a URN tells here.
 */
export class Plugin {
  readonly calls: Calls;
  readonly #process: ProviderProcess;
  readonly #report: (line: string) => void;
  /** Lines about planned changes, until a create or an update shows whether this run is a preview. */
  #waiting: string[] = [];
  /** Objects that this preview would create, as `Kind id`. */
  readonly #pending = new Set<string>();
  /** URN of the provider, and of a resource that Pulumi has shown. */
  #provider: Urn | undefined;
  #urn: Urn | undefined;
  /** The program notes whether this run is a preview. */
  #isNoted = false;

  /** `processOf`: makes the memory of this run, given the place where its lines go. `report`: takes a line for the user. */
  constructor(
    processOf: (report: (line: string, about?: "found") => void) => ProviderProcess,
    report: (line: string) => void,
  ) {
    this.#report = report;
    this.#process = processOf((line, about) => {
      if (this.#process.isPreview === undefined && about === undefined) this.#waiting.push(line);
      else report(line);
    });
    this.calls = new Calls(this.#process.ports.sleep);
    this.#process.learnConsoles = () => this.#storedConsoles();
  }

  /** `urn`: of the provider, by which Pulumi tells the stack before it tells any resource; undefined with an older CLI. */
  configure(settings: ConfigReader, urn?: Urn): void {
    this.#process.configure(settings);
    if (urn === undefined) return;
    this.#provider = urn;
    if (isExplicit(settings)) this.#process.explicit = digestOf(urn);
  }

  /** The consoles that the state names, read once in a run: a program of another language does not pass them. */
  async #storedConsoles(): Promise<readonly KnownConsole[]> {
    const { stack, project } = urnParts(this.#provider ?? this.#urn ?? "");
    if (stack === "") return [];
    const own = `urn:pulumi:${stack}::${project}::`;
    // With a service, the bare name is that of a stack of whoever runs this, who may not be the stack's organization.
    const stored = (await this.#process.stack.exported(stack)) ?? (await this.#process.stack.exported());
    const isRead = stored?.every(({ urn }) => urn.startsWith(own)) === true;
    const { environment } = this.#process.ports;
    if (!isRead && isStartedByPulumi(environment())) this.#process.reportFound(consolesUncheckedText);
    return isRead ? storedConsoles(stored, this.#provider) : [];
  }

  /** The kind of a resource. @throws ConsoleError for a type that this version does not have. */
  definition(urn: Urn): ResourceDefinition {
    const { type } = urnParts(urn);
    const definition = kindOfType(type);
    if (definition === undefined)
      throw invalidArgument(`${type} is no resource of this plugin. Install the version that has it.`);
    return definition;
  }

  async check(urn: Urn, olds: JsonObject, received: Received, isStored: boolean) {
    const { definition, provider, name, mark } = this.#subject(urn);
    const values = withReferenceNames(definition, received.values);
    // A place with another name is hidden with all that its argument holds.
    const secrets = received.secrets.map((path) =>
      valueAt(values, path) === undefined ? path.slice(0, 1) : path,
    );
    // A class of this package notes more, such as whether the run is a preview. Other languages note nothing.
    const noted = programNote(values);
    if (noted.preview !== undefined) this.#isNoted = true;
    const always = secretNames(definition).map((field): Path => [field]);
    const note = { stack: urnParts(urn).stack, ...noted, name, urn, secrets: [...secrets, ...always] };
    const before = isStored ? { ...olds, ...mark } : {};
    const { inputs, failures } = await provider.check(before, { ...values, [programMember]: note });
    if (this.#isNoted) for (const line of this.#waiting.splice(0)) this.#report(line);
    return { inputs: shownIn(inputs as JsonObject), failures: failures ?? [] };
  }

  /** Undefined where nothing changes. */
  async diff(urn: Urn, id: string, last: LastValues, news: JsonObject): Promise<PlannedChange | undefined> {
    const { definition, provider, mark } = this.#subject(urn);
    this.#process.run.resource(mark[resourceMember]).ignored = {
      paths: last.ignored ?? [],
      args: last.inputs,
    };
    const earlier = this.#waiting.length;
    const planned = await provider.diff(id, last.state, { ...news, ...mark });
    const { changes, replaces = [], deleteBeforeReplace: deletesFirst = false } = planned;
    if (changes === false) {
      // No create or update of this resource follows.
      for (const line of this.#waiting.splice(earlier)) this.#report(line);
      return undefined;
    }
    // Arguments that the program of an import need not set are in the state alone.
    const inputs = { ...picked(last.state, managedBefore(last.state)), ...last.inputs };
    const differences = detailedDiff(definition, { ...last, inputs }, news, replaces);
    return { differences, replaces, deletesFirst };
  }

  async create(urn: Urn, args: JsonObject): Promise<Stored> {
    this.#begins("update");
    const { provider, mark } = this.#subject(urn);
    const { id, outs } = await provider.create({ ...args, ...mark });
    return { id, state: outs as JsonObject };
  }

  /** @throws ConsoleError for a create that is sure to fail. */
  async previewCreate(urn: Urn, args: JsonObject): Promise<{ id: string | undefined; state: JsonObject }> {
    this.#begins("preview");
    const { definition, mark } = this.#subject(urn);
    const replaced = this.#process.run.resource(mark[resourceMember]).compared;
    const id = previewedId(definition, args);
    // An object that is replaced under its own id is there. Any other id stays open: with it, Pulumi would have lookups ask for an object that
    // does not exist yet.
    const isThere = id !== undefined && id === replaced?.id;
    const previewed = { id: isThere ? id : undefined, state: previewedState(definition, args) };
    if (id !== undefined && !isThere) this.#pending.add(`${definition.kind} ${id}`);
    // The check of this preview has looked.
    if (this.#isNoted) return previewed;
    const problems = await previewCreate({ definition, process: this.#process }, replaced, {
      ...args,
      ...mark,
    });
    await this.#process.endOfProgram();
    const [problem] = problems;
    if (problem !== undefined) throw objectExists(problem.message);
    await this.#process.reportNames(() => this.calls.lull());
    return previewed;
  }

  async update(urn: Urn, id: string, state: JsonObject, news: JsonObject): Promise<JsonObject> {
    this.#begins("update");
    const { provider, mark } = this.#subject(urn);
    const { outs } = await provider.update(id, state, { ...news, ...mark });
    return outs as JsonObject;
  }

  async previewUpdate(urn: Urn, state: JsonObject, news: JsonObject): Promise<JsonObject> {
    this.#begins("preview");
    const { definition } = this.#subject(urn);
    await this.#process.endOfProgram();
    await this.#process.reportNames(() => this.calls.lull());
    return previewedState(definition, news, state);
  }

  /** A refresh; undefined for an object that is gone. */
  async refresh(
    urn: Urn,
    id: string,
    state: JsonObject,
  ): Promise<(Stored & { inputs?: JsonObject }) | undefined> {
    const { provider } = this.#subject(urn);
    const found = await provider.read(id, state);
    if (found.id === undefined) return undefined;
    const inputs = found.inputs === undefined ? {} : { inputs: shownIn(found.inputs as JsonObject) };
    return { id: found.id, state: found.props as JsonObject, ...inputs };
  }

  /** Reads an object that no state has: the least arguments that lead to it, and the state that they would have left. @throws ConsoleError "not-found" */
  async find(urn: Urn, id: string): Promise<Stored & { inputs: JsonObject }> {
    const { definition, name, mark } = this.#subject(urn);
    const whole = { [managedMember]: inputNames(definition) };
    const found = await read({ context: this.#process.context(), definition, id, state: whole });
    // Of a state without members, a preview knows none.
    if (isMissing(found) && this.#pending.has(`${definition.kind} ${id}`))
      return { id, state: {}, inputs: {} };
    if (isMissing(found)) throw absent(definition, id);
    // The engine drops the nulls of the program that it writes from this.
    const known = { owners: false, exists: () => false, isOfConsole: () => false, dropsNulls: true };
    const expressed = argumentsOf(definition, found.live, name, known);
    if ("leftOut" in expressed)
      throw invalidArgument(
        `${definition.title} ${JSON.stringify(id)} cannot be imported: ${expressed.leftOut}.`,
      );
    const { inputs, lines } = withoutIds(definition, id, expressed.args);
    for (const line of lines) this.#process.reportFound(line);
    const marks = { ...(await marksOf(this.#process, mark)), [selfMember]: newSelf(this.#process) };
    // With its ids: the program of the option `import` may set them.
    const args = expressed.inputs;
    const state = outputsOf(
      { definition, process: this.#process },
      { live: found.live, args, marks, before: {} },
    );
    return { id, state, inputs: printedArguments(definition, inputs) };
  }

  async delete(urn: Urn, id: string, state: JsonObject): Promise<void> {
    this.#begins("update");
    await this.#subject(urn).provider.delete(id, state);
  }

  /** The console of the settings, for lookups. */
  context() {
    return this.#process.context();
  }

  /** The engine does not tell a plugin whether a run is a preview before its first create, update or delete. */
  #begins(run: "preview" | "update"): void {
    if (this.#process.isPreview !== undefined) return;
    this.#process.isPreview = run === "preview";
    const lines = this.#waiting.splice(0);
    // The preview of an update has shown them.
    if (run === "preview") for (const line of lines) this.#report(line);
  }

  #subject(urn: Urn): Subject {
    const definition = this.definition(urn);
    this.#urn = urn;
    const { stack, project, name } = urnParts(urn);
    this.#process.stack.name ??= `${project}/${stack}`;
    const provider = providerOf(definition, this.#process);
    return { definition, provider, name, mark: { [resourceMember]: digestOf(urn) } };
  }
}

/**
 * The consoles of the resources of an exported state that have a provider. `provider`: its URN; undefined, and every provider that
 * Pulumi makes of the stack's own settings, of whichever version and adapter, counts as one.
 */
function storedConsoles(resources: readonly StoredObject[], provider: string | undefined): KnownConsole[] {
  return resources.flatMap(({ id, type, provider: reference, outputs }) => {
    const definition = kindOfType(type);
    // A reference is the URN and the id.
    const own = (reference ?? "").split("::").slice(0, -1).join("::");
    const isSame = own === provider || (isDefault(own) && isDefault(provider));
    if (definition === undefined || !isSame) return [];
    return consoleIn(outputs, nameOf(definition, id)) ?? [];
  });
}

function isDefault(provider: string | undefined): boolean {
  if (provider === undefined) return true;
  const { type, name } = urnParts(provider);
  return (
    isDefaultProvider(name) &&
    [configNamespace, "pulumi-nodejs"].some((one) => type === `pulumi:providers:${one}`)
  );
}
