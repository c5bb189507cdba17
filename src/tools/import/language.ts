import type { Grouping } from "./program/groups";
import type { Named } from "./program/names";
import type { Files } from "./program/program";
import type { ProgramObject } from "./program/program-object";
import type { Adapter } from "./state-entry";

/** The files of a program. */
export interface WrittenProgram {
  readonly files: Files;
  /** The group of each file that holds one group alone. */
  readonly groups: ReadonlyMap<string, string>;
}

/** New texts of files, and unusual steps with their reasons, a sentence each. */
export interface Additions {
  readonly files: Files;
  readonly notes: readonly string[];
}

/** A language in which a console becomes a program. */
export interface ProgramLanguage {
  /** The setting `runtime` of its projects. */
  readonly runtime: string;
  /** Which resources its programs have. */
  readonly adapter: Adapter;
  /** The file that Pulumi runs. */
  readonly main: string;
  /** The same objects, under names and with arguments that a program in the language needs. Left out: as they are. */
  readonly named?:
    | ((objects: readonly ProgramObject[], folder?: string) => readonly ProgramObject[])
    | undefined;
  readonly write: (objects: readonly ProgramObject[], by: Grouping) => Promise<WrittenProgram>;
  /** Adds to the program of a folder the objects that it does not make yet. */
  readonly add: (folder: string, objects: readonly ProgramObject[], by: Grouping) => Promise<Additions>;
  /** The resources that the text of a file makes. */
  readonly madeIn: (file: string, text: string) => readonly Named[];
  /** Why a program cannot say an object; undefined where it can. Left out: it can say each. */
  readonly whyNot?: (one: ProgramObject) => string | undefined;
}
