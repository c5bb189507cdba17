import type { Imported } from "./import-project";
import { shellText } from "./pulumi-command";

/** What an import tells at its end, in lines. */
export function reportLines(imported: Imported, out: string): string[] {
  const { objects, leftOut, state, commands, keyCanWrite } = imported;
  const unsaid = objects.flatMap(({ definition, name, unsaid }) =>
    unsaid.map(({ path, why }) => `  ${definition.title} ${JSON.stringify(name)}: ${path}: ${why}`),
  );
  const changes = (state?.preview.changes ?? []).map(
    ({ name, type, op, paths }) =>
      `  ${op} ${type.split(":").at(-1)} ${JSON.stringify(name)}${paths.length === 0 ? "" : `: ${paths.join(", ")}`}`,
  );
  return [
    ...filesLines(imported, out),
    ...section(`Left to the console, because no program can say it (${unsaid.length}):`, unsaid),
    ...section("Not shown by any read, and left as they are:", hiddenLines(objects)),
    ...section(
      `Left out (${leftOut.length}):`,
      leftOut.map(({ object, why }) => `  ${object}: ${why}`),
    ),
    ...section(
      "Bring them into the state of a stack with",
      [...(commands.length > 0 && out !== "." ? [`cd ${shellText(out)}`] : []), ...commands].map(
        (one) => `  ${one}`,
      ),
    ),
    ...section("The preview shows changes:", changes),
    ...(keyCanWrite === true ? ["The key could write too: one that only reads is enough."] : []),
    state === undefined
      ? counted(objects.length, "object")
      : `${counted(objects.length, "object")}, ${counted(state.preview.changes.length, "change")}`,
  ];
}

/** Arguments that keep a value in the console which no read shows, by kind. */
function hiddenLines(objects: Imported["objects"]): string[] {
  const definitions = new Set(objects.map(({ definition }) => definition));
  return [...definitions].flatMap(({ title, fields }) => {
    const names = Object.entries(fields).flatMap(([name, { mode, schema, facts }]) => {
      const isKept = "clearWith" in facts || facts.fixed === true;
      return mode === "writeOnly" && isKept && schema.safeParse(undefined).success ? [name] : [];
    });
    return names.length === 0 ? [] : [`  ${title}s: ${names.join(", ")}`];
  });
}

function filesLines({ folder, isDry }: Imported, out: string): string[] {
  const { write, appended, same, remove, foreign } = folder;
  const number = write.length + appended.length + (isDry ? 0 : foreign.length);
  const parts = [
    `${counted(number, "file")} ${isDry ? "to write" : "written"}`,
    ...(same.length > 0 ? [`${same.length} as they were`] : []),
    ...(remove.length > 0 ? [`${remove.length} ${isDry ? "to remove" : "removed"}`] : []),
    ...(isDry && foreign.length > 0
      ? [`not as this command wrote them, and overwritten only with --force: ${foreign.join(", ")}`]
      : []),
  ];
  return [`${out}: ${parts.join(", ")}`];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** The same for programs. */
export function reportJson({
  objects,
  leftOut,
  folder,
  isDry,
  state,
  commands,
  keyCanWrite,
}: Imported): string {
  const told = {
    objects: objects.length,
    unsaid: objects.flatMap(({ kind, name, id, unsaid }) =>
      unsaid.map(({ path, why }) => ({ kind, name, id, path, why })),
    ),
    leftOut,
    dryRun: isDry,
    files: {
      written: [...folder.write, ...folder.appended],
      same: folder.same,
      removed: folder.remove,
      foreign: folder.foreign,
    },
    commands,
    keyCanWrite: keyCanWrite ?? null,
    ...(state === undefined
      ? {}
      : {
          stack: state.stack,
          added: state.added,
          changes: state.preview.changes,
        }),
  };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}
