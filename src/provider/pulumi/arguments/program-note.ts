import type { ReplacementOrder } from "../../decisions/replacement-order";
import { programMember } from "../../schema/internal";
import { isObject, type JsonObject, picked } from "../../schema/json";
import { everyMember, type Path, propertyPath } from "../../schema/path";
import type { KnownConsole } from "../runs/console-guard";

/** The note of a program beside the arguments of a resource, because Pulumi does not show it to a provider. */
export interface ProgramNote {
  /** The name of the resource. */
  readonly name?: string;
  /** The URN that Pulumi will give the resource. */
  readonly urn?: string;
  /** True in a preview. */
  readonly preview?: boolean;
  /** In a preview: what names the object that state has for the resource. */
  readonly held?: JsonObject;
  /** URN of the explicit provider that the resource has, if it has one. */
  readonly provider?: string;
  /** The consoles that state names for the resources of the same provider; left out where nobody could read the state. */
  readonly consoles?: readonly KnownConsole[];
  /** The stack, as the CLI takes its name. The check of an update shows nothing of the state. */
  readonly stack?: string;
  /** Former URNs of the resource, if it has any. */
  readonly formerUrns?: readonly string[];
  /** The resource has `deleteBeforeReplace: false`. */
  readonly createsFirst?: true;
  /** The resource has `deleteBeforeReplace: true`. */
  readonly deletesFirst?: true;
  /** The resource has `retainOnDelete: true`. */
  readonly retained?: true;
  /** The resource has the option `deletedWith`. */
  readonly deletedWith?: true;
  /** Number of the resources that the program has declared so far for the same provider, this one included. */
  readonly declared?: number;
  /** In a preview: a lookup of the program has asked the console of the same provider. */
  readonly asks?: true;
  /** Kinds of the resources that the program passed, by the path of the argument. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** Resource of this package that a value comes of, as `Layer shop`, by its path; those of the option `dependsOn` under its name. */
  readonly sources?: Readonly<Record<string, string>>;
  /** An earlier resource of the other adapter that names the same object: `native resource "checkout"`. */
  readonly duplicateDeclaration?: string;
  /** Paths of the secrets in the arguments. */
  readonly secrets?: readonly Path[];
  /** Paths of `ignoreChanges`, and the lists that they lead into, which Pulumi resets before a provider sees them. */
  readonly ignored?: { readonly paths: readonly string[]; readonly args: JsonObject };
  /** Settings that the stack's configuration misspells, or shows although they are secrets. */
  readonly misspelt?: readonly string[];
}

/** The order of a replacement that the program sets itself (`deleteBeforeReplace`). */
export function orderIn({ createsFirst, deletesFirst }: ProgramNote = {}): ReplacementOrder | undefined {
  return deletesFirst ? "delete-first" : createsFirst ? "create-first" : undefined;
}

/** The note beside the arguments of a resource; empty where a test or another host passes none. */
export function programNote(news: JsonObject): ProgramNote {
  const note = news[programMember];
  return isObject(note) ? (note as ProgramNote) : {};
}

/** The note of a program about its option `ignoreChanges`. */
export function ignoredNote(
  { ignoreChanges = [] }: { readonly ignoreChanges?: readonly string[] },
  args: JsonObject,
): Pick<ProgramNote, "ignored"> {
  if (ignoreChanges.length === 0) return {};
  const lists = ignoreChanges.flatMap((text) => {
    const [name, ...inner] = propertyPath(text) ?? [];
    return inner.some((step) => typeof step === "number" || step === everyMember) ? [String(name)] : [];
  });
  return { ignored: { paths: ignoreChanges, args: picked(args, lists) } };
}
