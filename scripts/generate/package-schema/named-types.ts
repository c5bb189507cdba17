import { nativePrefix } from "../../../src/provider/pulumi/stored-names";
import type { Shape } from "../shapes";
import type { EnumSpec, ObjectSpec, TypeSpec } from "./spec";

/** The types of a schema that have names, each once. */
export class NamedTypes {
  /** Refers to the type of a nested object. */
  readonly objectRef: (shape: Shape) => TypeSpec;
  readonly #specs = new Map<string, ObjectSpec | EnumSpec>();
  /** What each name was first given to. */
  readonly #subjects = new Map<string, string>();

  /** `objectRef`: makes the type of a nested object where nothing has referred to it yet. */
  constructor(objectRef: (types: NamedTypes, shape: Shape) => TypeSpec) {
    this.objectRef = (shape) => objectRef(this, shape);
  }

  /**
   * Refers to a type, and makes it where nothing has referred to it yet. `subject`: tells which thing the name is given to.
   * @throws Error for a second thing of the same name.
   */
  ref(
    name: string,
    subject: string,
    make: () => ObjectSpec | EnumSpec,
  ): TypeSpec & { readonly $ref: string } {
    const known = this.#subjects.get(name);
    if (known !== undefined && known !== subject)
      throw new Error(`Two types of the package schema are called ${name}: ${known}, and ${subject}.`);
    if (known === undefined) {
      this.#subjects.set(name, subject);
      this.#specs.set(name, make());
    }
    return { $ref: `#/types/${nativePrefix}${name}` };
  }

  /** Every type by its token, in the order of the names. */
  all(): Record<string, ObjectSpec | EnumSpec> {
    const entries = [...this.#specs].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries.map(([name, spec]) => [`${nativePrefix}${name}`, spec]));
  }
}
