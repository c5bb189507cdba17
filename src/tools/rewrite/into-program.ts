import path from "node:path";
import { createTwoFilesPatch } from "diff";
import { idListNames } from "../../provider/id-lists/value-type";
import { writeWholeFiles } from "../../provider/pulumi/runs/whole-file";
import { requireWritableFiles } from "../../provider/pulumi/runs/writable";
import { isObject } from "../../provider/schema/json";
import type { Consoles, ReadStack } from "../stack/live";
import { runtimeIn } from "../stack/project";
import type { Resource } from "../stack/resources";
import { type Compiler, compilerOf, type Sources, sourcesIn } from "./compiler";
import { type Draft, draftOf } from "./draft";
import { edited, inOrder } from "./edits";
import { Program } from "./program";
import { accepted, type Outcome, refused, type Wish } from "./wish";

/** The program that is changed. */
export interface ProgramPorts {
  readonly compiler: Compiler;
  readonly sources: Sources;
}

/** The program of a project. @throws Error for one in a language that nothing here writes, and where no TypeScript is installed. */
export function programIn(folder: string): ProgramPorts {
  const runtime = runtimeIn(folder);
  if (runtime !== undefined && runtime !== "nodejs")
    throw new Error(
      `the program is for the runtime ${runtime}, and only programs in TypeScript and JavaScript can be written; change it by hand`,
    );
  return { compiler: compilerOf(folder), sources: sourcesIn(folder) };
}

/** Drafts a program that sets these values. `resources`: all of the stack. Writes nothing. */
export async function intoProgram(
  { consoles, resources }: Pick<ReadStack, "consoles" | "resources">,
  { compiler, sources }: ProgramPorts,
  wishes: readonly Wish[],
): Promise<Acceptance> {
  const whole = await Promise.all(
    wishes.map(async (wish) => ({ ...wish, values: await withIds(consoles, wish.resource, wish.values) })),
  );
  return intoTexts(new Program(compiler, sources, resources), whole);
}

/** Values with the ids themselves in the place of their digests, as far as a program may hold them. `resource`: whose object has them. */
export function withIds<Value extends { readonly name: string; readonly live: unknown }>(
  consoles: Consoles,
  resource: Resource,
  values: readonly Value[],
): Promise<Value[]> {
  const { definition, id = "", provider } = resource;
  const read = values.map(async (value) => {
    const { name, live } = value;
    const isDigest = idListNames(definition).includes(name) && isObject(live);
    if (!isDigest || Number(live.count) > mostIds) return value;
    const found = await consoles.live(definition, id, provider, [name]);
    return { ...value, live: found?.[name] ?? [] };
  });
  return Promise.all(read);
}

/** The most ids that are written into a program. */
const mostIds = 1000;

/** The program after values of the console were accepted. */
export interface Acceptance {
  readonly outcomes: readonly Outcome[];
  /** New texts by file, and the old ones. */
  readonly changes: ReadonlyMap<string, { readonly before: string; readonly after: string }>;
}

/** Writes what the console has into the texts of a program. Nothing is written to disk. */
function intoTexts(program: Program, wishes: readonly Wish[]): Acceptance {
  const drafts = wishes.map((wish) => draftOf(program, wish));
  const changes = new Map<string, { before: string; after: string }>();
  const inside = new Set<Draft>();
  for (const file of new Set(drafts.flatMap(({ call }) => call?.job.file ?? []))) {
    const here = drafts.filter(({ call }) => call?.job.file === file);
    const overlapping = overlappingIn(here);
    for (const one of overlapping) inside.add(one);
    const after = edited(
      file.text,
      here.flatMap((one) => (overlapping.has(one) ? [] : one.edits)),
    );
    if (after !== file.text) changes.set(file.fileName, { before: file.text, after });
  }
  return { outcomes: drafts.flatMap((one) => outcomesOf(one, inside.has(one))), changes };
}

function outcomesOf({ resource, values, call, refused: others }: Draft, isInside: boolean): Outcome[] {
  const why = "it stands inside of another change: accept it once more after that";
  const own = values.flatMap((value): Outcome[] => {
    if (call === undefined) return [];
    const { place } = call;
    return [isInside ? refused(resource, value, { why, place }) : accepted(resource, value, place)];
  });
  return [...own, ...others];
}

/** Drafts of one file whose edits overlap those of another one: a call may stand inside of an argument of another call. */
function overlappingIn(drafts: readonly Draft[]): ReadonlySet<Draft> {
  const owners = new Map(drafts.flatMap((draft) => draft.edits.map((edit) => [edit, draft] as const)));
  const found = new Set<Draft>();
  let end = 0;
  for (const edit of inOrder([...owners.keys()])) {
    const draft = owners.get(edit);
    if (edit.start < end && draft !== undefined) found.add(draft);
    end = Math.max(end, edit.end);
  }
  return found;
}

/** Writes the changed files of the program in a folder, each whole. @throws Error for one that changed meanwhile, or that is read-only. */
export function writeProgram(folder: string, { sources }: ProgramPorts, { changes }: Acceptance): void {
  for (const [file, { before }] of changes)
    if (sources.read(file) !== before)
      throw new Error(`${file} was changed meanwhile, and nothing was written: run the command again`);
  const files = new Map([...changes].map(([file, { after }]) => [path.join(folder, file), after]));
  requireWritableFiles(files.keys());
  writeWholeFiles(files);
}

/** The change of a program as a unified diff, such as `git apply` takes. */
export function patchText({ changes }: Acceptance): string {
  return [...changes]
    .map(([file, { before, after }]) =>
      createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after).replace(/^=+\r?\n/, ""),
    )
    .join("");
}
