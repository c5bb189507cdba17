import { createEmulator, randomId } from "../../emulator";
import type { SpecDocument } from "../../emulator/evaluation";
import { idListNames } from "../../provider/id-lists/value-type";
import { processInMemory } from "../../provider/pulumi/process";
import { providerOf } from "../../provider/pulumi/provider";
import { namedPartLists, type ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import { adoptMember } from "../../provider/schema/internal";
import { isObject, type JsonObject, kept, mapped, picked } from "../../provider/schema/json";
import { holdsUnknown } from "../../provider/schema/unknown";
import { withLiveMembers } from "../../provider/values/server-set-members";
import { stateNames } from "../../provider/values/states";
import { isHidden } from "../../provider/words";
import type { Subject } from "../review";
import { objectText } from "../review/subjects";

/**
 * Carries a previewed change out on a console in memory that holds what the stack holds. Nothing else is asked or written.
 * @returns documents of server SDKs before and after it, with the ids of the stack and salts of their own
 */
export async function rehearse(subjects: readonly Subject[]) {
  const stage = new Stage();
  const document = () => JSON.parse(stage.emulator.sdkDocuments().v1) as SpecDocument;
  try {
    const played = subjects.filter(({ definition }) => definition.lifecycle.create.how === "send");
    const made = await stage.carryOut(played, (subject) => stage.make(subject));
    const before = document();
    const changing = made.filter(({ act }) => act !== undefined);
    await stage.carryOut(changing, (subject) => stage.change(subject));
    return {
      ...{ before, after: document() },
      /** Objects whose change could not be rehearsed, each with the reason. */
      problems: stage.problems,
      /** Title of an object with a generated id: `holdout "quarter"`. */
      labelOf: (id: string) => stage.labels.get(id),
    };
  } finally {
    stage.emulator.close();
  }
}

/** The providers of all kinds over one console. */
class Stage {
  /** Id of the first object that comes to be. */
  #foretold: string | undefined;
  readonly problems: string[] = [];
  readonly labels = new Map<string, string>();
  /** Its ids are by chance, but for objects that have one: what refers to them by it finds them. */
  readonly emulator = createEmulator({ profile: "embedded", makeId: () => this.#nextId() });
  readonly #process = processInMemory(this.emulator.transport);
  readonly #made = new Map<string, { readonly id: string; readonly outs: JsonObject }>();

  #nextId(): string {
    const id = this.#foretold ?? randomId();
    this.#foretold = undefined;
    return id;
  }

  /**
   * Carries work out for each object, and anew for those that failed while others succeed: a preview may show what an object names
   * after it. Notes what fails of one that changes; one that stays is missed by those that ask for it. @returns those that succeeded
   */
  async carryOut(
    subjects: readonly Subject[],
    work: (subject: Subject) => Promise<void>,
  ): Promise<Subject[]> {
    const done = new Set<Subject>();
    const failures = new Map<Subject, string>();
    for (let before = -1; before < done.size && done.size < subjects.length; ) {
      before = done.size;
      for (const subject of subjects.filter((one) => !done.has(one)))
        await work(subject).then(
          () => done.add(subject),
          (error) => failures.set(subject, reasonOf(error)),
        );
    }
    for (const [subject, why] of failures)
      if (subject.act !== undefined && !done.has(subject))
        this.problems.push(`${objectText(subject.definition, subject.called)}: ${why}`);
    return subjects.filter((one) => done.has(one));
  }

  async make(subject: Subject): Promise<void> {
    const { oldState } = subject.step;
    if (oldState === undefined) return;
    const inputs = { ...oldState.inputs, ...stateBeside(subject, oldState.inputs), ...partsOf(subject) };
    this.#foretold = oldState.id;
    await this.#create(subject, inputs).finally(() => {
      this.#foretold = undefined;
    });
  }

  async change(subject: Subject): Promise<void> {
    const { urn, definition, act, step } = subject;
    const made = this.#made.get(urn);
    const inputs = step.newState?.inputs ?? {};
    if (act === "release") return;
    if (act === "adopt") throw new Error("the stack does not know yet what it takes over");
    if ([inputs, step.oldState?.inputs].some((one) => isHidden(one)))
      throw new Error("a value of it is secret");
    if (holdsUnknown(inputs)) throw new Error("some of its values are known only during the update");
    refuseHashes(definition, inputs);
    if (made === undefined) return this.#create(subject, inputs);
    const provider = providerOf(definition, this.#process);
    if (step.op === "update") await provider.update(made.id, made.outs, playable(inputs));
    else await provider.delete(made.id, made.outs);
    if (step.op === "replace") await this.#create(subject, inputs);
  }

  async #create({ urn, definition, called }: Subject, inputs: JsonObject = {}): Promise<void> {
    refuseHashes(definition, inputs);
    const { id, outs } = await providerOf(definition, this.#process).create(playable(inputs));
    this.#made.set(urn, { id, outs: { ...outs } });
    if (definition.identity.how === "server") this.labels.set(id, objectText(definition, called));
  }
}

/** The state of an object that changes, where its program did not set it: a person may have switched it off. */
function stateBeside({ definition, act, before }: Subject, inputs: JsonObject = {}): JsonObject {
  const field = definition.lifecycle.archived?.field;
  const isSet = stateNames(definition).some((name) => inputs[name] !== undefined);
  return act === undefined || field === undefined || isSet ? {} : picked(before, [field]);
}

/** A refusal of the rehearsal's own console is none of the real one. */
const reasonOf = (error: unknown): string =>
  `${isConsoleError(error) ? "a trial on a console in memory: " : ""}${messageOf(error)}`;

/** Parts that others name by ids, with those ids: a console takes the ids of new parts as they come. */
function partsOf({ definition, step, outputs }: Subject): JsonObject {
  const given = picked(step.oldState?.inputs ?? {}, namedPartLists(definition));
  return mapped(given, (value, name) => withLiveMembers(definition, "identity", name, value, outputs[name]));
}

/** State and previews hold hashes in the place of ids. */
function refuseHashes(definition: ResourceDefinition, inputs: JsonObject): void {
  if (idListNames(definition).some((name) => isObject(inputs[name])))
    throw new Error("a preview holds only the hashes of its ids");
}

/** A console in memory has nothing to adopt. */
function playable(inputs: JsonObject): JsonObject {
  return kept(inputs, (name) => name !== adoptMember && name !== "adopt");
}
