import { countOf, pluralOf } from "../../provider/texts/count-text";
import type { Report, Section } from "../render/report";
import type { Imported } from "./import-project";
import { shellText } from "./target-stack";

/** Report of an import: its files, the values that it left out, and the commands that are left. */
export function importReport(imported: Imported, out: string): Report {
  const { objects, leftOut, unwanted, archived, state, commands, keyCanWrite } = imported;
  const notExpressible = objects.flatMap(({ definition, name, notExpressible }) =>
    notExpressible.map(({ path, why }) => `${definition.title} ${JSON.stringify(name)}: ${path}: ${why}`),
  );
  const changes = (state?.changes ?? []).map(({ name, type, op, paths }) => {
    const places = paths.length === 0 ? "" : `: ${paths.join(", ")}`;
    return `${op} ${type.split(":").at(-1)} ${JSON.stringify(name)}${places}`;
  });
  const left = `Left to the console, because no program can express it (${notExpressible.length}):`;
  const count = countOf(objects.length, "object");
  return {
    parts: [
      filesPart(imported, out),
      ...section(left, notExpressible),
      ...section("Not shown by any read, and left as they are:", hiddenLines(objects)),
      ...section(
        `Left out (${leftOut.length}):`,
        leftOut.map(({ object, why }) => `${object}: ${why}`),
      ),
      ...(unwanted > 0
        ? [`Left as they are: ${countOf(unwanted, "object")} that the stack has already.`]
        : []),
      ...(archived > 0
        ? [`Archived, and left out: ${countOf(archived, "object")}; --archived takes them in.`]
        : []),
      ...section(
        "Bring them into the state of a stack with",
        commands.length > 0 && out !== "." ? [`cd ${shellText(out)}`, ...commands] : commands,
      ),
      ...section("The preview shows changes:", changes),
      ...(state?.changes.some(({ op }) => op === "delete") === true ? [deletesLine] : []),
      ...(keyCanWrite === true ? ["The key could write too: one that only reads is enough."] : []),
      state === undefined ? count : `${count}, ${countOf(state.changes.length, "change")}`,
    ],
    json: importJson(imported),
  };
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
    return names.length === 0 ? [] : [`${pluralOf(title)}: ${names.join(", ")}`];
  });
}

function filesPart({ folder, isDry }: Imported, out: string): Section {
  const { write, appended, same, remove, foreign } = folder;
  const others = [
    ...(same.length > 0 ? [`${same.length} as they were`] : []),
    ...(remove.length > 0 && !isDry ? [`${remove.length} removed`] : []),
  ];
  const written = countOf(write.length + appended.length + (isDry ? 0 : foreign.length), "file");
  const title = `${out}: ${[`${written} ${isDry ? "to write" : "written"}`, ...others].join(", ")}`;
  // A dry run names the files: it is there to be looked at.
  const named = (what: string, files: readonly string[]) =>
    files.length === 0 || !isDry ? [] : [`${what}: ${files.join(", ")}`];
  return {
    title,
    parts: [
      ...named("write", write),
      ...named("add to", appended),
      ...named("remove", remove),
      ...named("not as this command wrote them, and overwritten only with --force", foreign),
    ],
  };
}

function section(title: string, parts: readonly string[]): Section[] {
  return parts.length === 0 ? [] : [{ title, parts }];
}

function importJson({ objects, folder, state, ...imported }: Imported) {
  return {
    objects: objects.length,
    notExpressible: objects.flatMap(({ kind, name, id, notExpressible }) =>
      notExpressible.map(({ path, why }) => ({ kind, name, id, path, why })),
    ),
    leftOut: imported.leftOut,
    inStack: imported.unwanted,
    archivedLeftOut: imported.archived,
    dryRun: imported.isDry,
    files: {
      written: [...folder.write, ...folder.appended],
      same: folder.same,
      removed: folder.remove,
      foreign: folder.foreign,
    },
    commands: imported.commands,
    keyCanWrite: imported.keyCanWrite ?? null,
    ...state,
  };
}
