import { countOf, pluralOf } from "../../provider/texts/count-text";
import { jsonText } from "../../provider/texts/issue-text";
import type { Imported } from "./import-project";
import { shellText } from "./target-stack";

/** What an import tells at its end, in lines. */
export function reportLines(imported: Imported, out: string): string[] {
  const { objects, leftOut, archived, state, commands, keyCanWrite } = imported;
  const notExpressible = objects.flatMap(({ definition, name, notExpressible }) =>
    notExpressible.map(({ path, why }) => `  ${definition.title} ${JSON.stringify(name)}: ${path}: ${why}`),
  );
  const changes = (state?.changes ?? []).map(
    ({ name, type, op, paths }) =>
      `  ${op} ${type.split(":").at(-1)} ${JSON.stringify(name)}${paths.length === 0 ? "" : `: ${paths.join(", ")}`}`,
  );
  return [
    ...filesLines(imported, out),
    ...section(
      `Left to the console, because no program can express it (${notExpressible.length}):`,
      notExpressible,
    ),
    ...section("Not shown by any read, and left as they are:", hiddenLines(objects)),
    ...section(
      `Left out (${leftOut.length}):`,
      leftOut.map(({ object, why }) => `  ${object}: ${why}`),
    ),
    ...(archived > 0
      ? [`Archived, and left out: ${countOf(archived, "object")}; --archived takes them in.`]
      : []),
    ...section(
      "Bring them into the state of a stack with",
      [...(commands.length > 0 && out !== "." ? [`cd ${shellText(out)}`] : []), ...commands].map(
        (one) => `  ${one}`,
      ),
    ),
    ...section("The preview shows changes:", changes),
    ...(state?.changes.some(({ op }) => op === "delete") === true ? [deletesLine] : []),
    ...(keyCanWrite === true ? ["The key could write too: one that only reads is enough."] : []),
    state === undefined
      ? countOf(objects.length, "object")
      : `${countOf(objects.length, "object")}, ${countOf(state.changes.length, "change")}`,
  ];
}

const deletesLine =
  "Look before you update: what is to be deleted is in the state of the stack, and not in the program that Pulumi runs. Where it is " +
  'to stay, let that program make it, or forget it with "pulumi state delete".';

/** Arguments that keep a value in the console which no read shows, by kind. */
function hiddenLines(objects: Imported["objects"]): string[] {
  const definitions = new Set(objects.map(({ definition }) => definition));
  return [...definitions].flatMap(({ title, fields }) => {
    const names = Object.entries(fields).flatMap(([name, { mode, schema, traits }]) => {
      const isKept = "clearWith" in traits || traits.fixed === true;
      return mode === "writeOnly" && isKept && schema.safeParse(undefined).success ? [name] : [];
    });
    return names.length === 0 ? [] : [`  ${pluralOf(title)}: ${names.join(", ")}`];
  });
}

function filesLines({ folder, isDry }: Imported, out: string): string[] {
  const { write, appended, same, remove, foreign } = folder;
  if (isDry) return dryLines(folder, out);
  const parts = [
    `${countOf(write.length + appended.length + foreign.length, "file")} written`,
    ...(same.length > 0 ? [`${same.length} as they were`] : []),
    ...(remove.length > 0 ? [`${remove.length} removed`] : []),
  ];
  return [`${out}: ${parts.join(", ")}`];
}

/** What would be done, by name: it is there to be looked at. */
function dryLines({ write, appended, same, remove, foreign }: Imported["folder"], out: string): string[] {
  const named = (title: string, files: readonly string[]) =>
    files.length === 0 ? [] : [`  ${title}: ${files.join(", ")}`];
  return [
    `${out}: ${countOf(write.length + appended.length, "file")} to write${same.length > 0 ? `, ${same.length} as they were` : ""}`,
    ...named("write", write),
    ...named("add to", appended),
    ...named("remove", remove),
    ...named("not as this command wrote them, and overwritten only with --force", foreign),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}
/** The same for programs. */
export function reportJson({
  objects,
  leftOut,
  archived,
  folder,
  isDry,
  state,
  commands,
  keyCanWrite,
}: Imported): string {
  const told = {
    objects: objects.length,
    notExpressible: objects.flatMap(({ kind, name, id, notExpressible }) =>
      notExpressible.map(({ path, why }) => ({ kind, name, id, path, why })),
    ),
    leftOut,
    archivedLeftOut: archived,
    dryRun: isDry,
    files: {
      written: [...folder.write, ...folder.appended],
      same: folder.same,
      removed: folder.remove,
      foreign: folder.foreign,
    },
    commands,
    keyCanWrite: keyCanWrite ?? null,
    ...state,
  };
  return jsonText(told);
}
