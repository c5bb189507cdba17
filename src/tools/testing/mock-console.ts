import { createEmulator, type SdkDocuments, type Seed } from "../../emulator";
import { DeclaredNames } from "../../provider/decisions/declared-names";
import { DeclaredParameters } from "../../provider/decisions/declared-parameters";
import { type EngineContext, objectLabel } from "../../provider/engine";
import { type ProviderProcess, processInMemory } from "../../provider/pulumi/process";
import { type Provider, providerOf } from "../../provider/pulumi/provider";
import type { ResourceDefinition } from "../../provider/schema/define";
import { type JsonObject, objectsIn } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import { pathText } from "../../provider/schema/path";
import { sentence } from "../../provider/texts/issue-text";

/** A console in memory and the providers of all kinds over it, as Pulumi would drive them in one update. */
export class MockConsole {
  readonly #process: ProviderProcess;
  readonly #providers = new Map<string, Provider>();
  readonly #names = new DeclaredNames();
  readonly #parameters = new DeclaredParameters();
  readonly #warnings = new Set<string>();
  /** The documents of server SDKs for this moment. */
  readonly sdkDocuments: () => SdkDocuments;

  /** @throws Error for a malformed seed. */
  constructor(seed: Seed) {
    const { transport, sdkDocuments } = createEmulator({ profile: "embedded", seed });
    this.sdkDocuments = sdkDocuments;
    for (const [kind, list = []] of Object.entries({ gate: seed.gates, segment: seed.segments })) {
      const names = objectsIn(list).flatMap(({ id, name }) =>
        [id, name].filter((one) => typeof one === "string"),
      );
      this.#names.declared(kind, names, "console");
    }
    this.#process = processInMemory(transport);
  }

  context(): EngineContext {
    return this.#process.context();
  }

  /** Arguments as they go into state, or all that is wrong with them. */
  async check(definition: ResourceDefinition, args: JsonObject) {
    const { inputs, failures = [] } = await this.#provider(definition).check({}, args);
    if (failures.length === 0) this.#note(definition, { ...inputs });
    return { inputs: { ...inputs }, problems: failures };
  }

  /** Makes an object of arguments that were checked. @throws ConsoleError as an update would. */
  async create(
    definition: ResourceDefinition,
    inputs: JsonObject,
  ): Promise<{ id: string; state: JsonObject }> {
    const { id, outs } = await this.#provider(definition).create(inputs);
    return { id, state: { ...outs } };
  }

  /** Reads an object for a `get` of a program. @throws ConsoleError where there is no such object. */
  async read(definition: ResourceDefinition, id: string): Promise<JsonObject> {
    const { props } = await this.#provider(definition).read(id, {});
    return { ...props };
  }

  /** Warnings of a preview of the program, and findings about its flags for server SDKs. */
  warnings(): string[] {
    const findings = this.sdkDocuments().findings.filter((one) => !one.includes(" asks itself"));
    return [
      ...this.#warnings,
      ...[...this.#names.warnings(), ...this.#parameters.warnings()].map(sentence),
      ...findings.map((one) => `SDKs: ${one}.`),
    ];
  }

  #note(definition: ResourceDefinition, inputs: JsonObject): void {
    const object = objectLabel(definition, inputs);
    this.#names.resource(definition, inputs, object);
    this.#parameters.resource(definition, inputs, object);
    for (const { path, message } of definition.warnings?.({}, inputs) ?? [])
      this.#warnings.add(`${object}: ${pathText(path)}: ${message}.`);
  }

  #provider(definition: ResourceDefinition): Provider {
    return keptIn(this.#providers, definition.kind, () => providerOf(definition, this.#process));
  }
}
