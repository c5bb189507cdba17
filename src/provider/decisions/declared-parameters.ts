import type { ParameterUse, ResourceDefinition } from "../schema/define";
import { equalJson, type JsonObject } from "../schema/json";
import { expectedId } from "../schema/object-id";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { argumentName, placeText } from "../texts/argument-names";
import { listText } from "../texts/count-text";
import { quote } from "../texts/issue-text";
import { meantName } from "../texts/misspelling";

/** An object with the parameters that it defines, or gives values to. */
interface Noted {
  /** `layer "page"`. */
  readonly by: string;
  readonly uses: readonly ParameterUse[];
}

/** The object whose parameters another one uses, by kind and id, or by its label where only the update makes the id. */
type Owner = string;

/** Parameters that objects of one program define, and those to which others give values, in any order of their checks. */
export class DeclaredParameters {
  readonly #defined = new Map<Owner, Noted>();
  readonly #given = new Map<
    string,
    Noted & { readonly owner: Owner; readonly definition: ResourceDefinition }
  >();
  /** Parameters that an update drops, and those with which an object runs until the update changes it. */
  readonly #dropped = new Map<Owner, Noted>();
  readonly #held = new Map<string, Noted & { readonly owner: Owner }>();
  /** Parameters whose defaults an update changes through another object. */
  readonly #shipped = new Map<string, Noted & { readonly owner: Owner }>();

  /** Notes a resource. `label`: of the object that it uses the parameters of, where only the update makes the id. */
  resource(definition: ResourceDefinition, args: JsonObject, by: string, label?: string): void {
    const uses = definition.parameters?.list(args);
    if (uses === undefined) return;
    const owner = ownerOf(definition, args, label);
    if (owner !== undefined) this.#given.set(by, { definition, by, owner, uses });
    else for (const key of keysOf(definition, args, by)) this.#defined.set(key, { by, uses });
  }

  /** Notes an update of a resource. `olds`: the state. */
  change(definition: ResourceDefinition, olds: JsonObject, news: JsonObject, by: string): void {
    const { parameters } = definition;
    const [before, after] = [parameters?.list(olds), parameters?.list(news)];
    if (parameters === undefined || before === undefined) return;
    const owner = ownerOf(definition, olds);
    if (owner !== undefined) {
      if (parameters.isHeld?.(olds) === true) this.#held.set(by, { by, owner, uses: before });
      this.#shipped.set(by, { by, owner, uses: parameters.shipped?.(olds, news) ?? [] });
    } else if (after !== undefined) {
      const uses = before.filter(({ name }) => after.every((one) => one.name !== name));
      for (const key of keysOf(definition, olds, by)) this.#dropped.set(key, { by, uses });
    }
  }

  /** Warnings about values of parameters that are not defined so. */
  warnings(): string[] {
    return [...this.#given.values()].flatMap(({ definition, by, owner, uses }) => {
      const defined = this.#defined.get(owner);
      if (defined === undefined) return [];
      return uses.flatMap((use) => {
        const why = mismatch(use, defined);
        return why === undefined ? [] : [`${by}: ${placeText(definition, use.path)}: ${why}`];
      });
    });
  }

  /** Warnings about defaults that this update changes, and that the program goes on setting otherwise. */
  overruledDefaults(): string[] {
    return [...this.#shipped.values()].flatMap(({ by, owner, uses }) => {
      const defined = this.#defined.get(owner);
      const overruled = uses.filter((use) => defined !== undefined && isSetOtherwise(use, defined));
      if (defined === undefined || overruled.length === 0) return [];
      const names = listText(overruled.map(({ name }) => quote(name)));
      return [
        `${by}: this decision changes the default of ${names} in ${defined.by}, which the program sets otherwise. ` +
          `Leave out ${argumentName("defaultValue")} of ${names}, or an update after a refresh takes the decision back`,
      ];
    });
  }

  /** Reasons for which the update will fail: the console refuses to drop a parameter that a running object has. */
  failures(): string[] {
    return [...this.#held.values()].flatMap(({ by, owner, uses }) => {
      const dropped = this.#dropped.get(owner);
      const names = new Set(uses.map(({ name }) => name));
      return (dropped?.uses ?? [])
        .filter(({ name }) => names.has(name))
        .map(
          ({ name }) =>
            `${dropped?.by}: parameters: ${quote(name)} is dropped while ${by} runs with it, and the console changes ${dropped?.by} first. ` +
            `Make two updates: take ${quote(name)} out of ${by}, then drop it.`,
        );
    });
  }
}

function mismatch({ name, type, value }: ParameterUse, { by, uses }: Noted): string | undefined {
  const defined = uses.find((one) => one.name === name);
  if (defined === undefined) {
    const meant = meantName(
      name,
      uses.map((one) => one.name),
    );
    return `${by} has no parameter ${quote(name)}${meant === undefined ? "" : `; did you mean ${quote(meant)}?`}`;
  }
  if (type === defined.type || [type, defined.type].includes(UNKNOWN)) return undefined;
  return `found ${quote(value)}; the parameter of ${by} has the type ${defined.type}`;
}

function isSetOtherwise({ name, value }: ParameterUse, { uses }: Noted): boolean {
  const own = uses.find((one) => one.name === name)?.value;
  return own !== undefined && !holdsUnknown([own, value]) && !equalJson(own, value);
}

function ownerOf(definition: ResourceDefinition, args: JsonObject, label?: string): Owner | undefined {
  const { of } = definition.parameters ?? {};
  if (of === undefined) return undefined;
  return args[of] === UNKNOWN ? label : `${definition.fields[of]?.traits.refersTo} ${String(args[of])}`;
}

const keysOf = (definition: ResourceDefinition, args: JsonObject, by: string): Owner[] => [
  ...[by, `${definition.name} ${expectedId(definition, args)}`],
];
