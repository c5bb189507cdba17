import { changesOf } from "../../provider/decisions/plan";
import { type JsonObject, picked } from "../../provider/schema/json";
import { managedMember, objectValues, viewOf } from "../../provider/values/managed";
import { hiddenValue, isHidden } from "../../provider/words";
import { type CreateFinding, type Standing, saidOf } from "./changes/outcome";
import { comparable } from "./changes/unread-edits";
import type { Act } from "./review";
import { publicValues, type Subject } from "./subjects";

/** Acts that are about the whole object, also about what no program sets. */
const wholeActs: ReadonlySet<Act> = new Set(["archive", "delete", "restore", "replace"]);

/** A change as it is made of what the console has, where that is known. */
export function asFound(subject: Subject, { live, create }: Standing): Subject {
  if (subject.replacement === "in place") return replacedAsFound(subject, live, create);
  const { act } = subject;
  const found = create?.what === "adopts" ? "adopt" : create?.what === "revives" ? "restore" : act;
  if (live === undefined) return found === undefined ? subject : { ...subject, act: found };
  if (act === "adopt") return takenOver(subject, live);
  if (found !== act) return { ...subject, act: found };
  return act !== undefined && wholeActs.has(act) ? wholeOf(subject, live) : subject;
}

/** Pulumi calls the old object and the new one by one key: the create finds the object, or where it was. */
function replacedAsFound(
  { replacement, ...subject }: Subject,
  live: JsonObject | undefined,
  create: CreateFinding | undefined,
): Subject {
  if (create?.what === "creates")
    return { ...subject, act: "create", outputs: {}, before: {}, changes: subject.program ?? {} };
  if (create?.what === "revives") return wholeOf({ ...subject, act: "restore" }, live ?? {});
  return replacement === undefined ? subject : { ...subject, replacement };
}

/** An object that is taken over is changed from what the console has. */
function takenOver(subject: Subject, live: JsonObject): Subject {
  const { definition, program = {} } = subject;
  const view = Object.entries(viewOf(definition, live));
  // What the program keeps secret is one in the console too.
  const before = view.map(([name, value]) => [name, isHidden(program[name]) ? hiddenValue : value]);
  return {
    ...subject,
    ...{
      outputs: live,
      before: Object.fromEntries(before),
      changes: changesOf(definition, { program, live }),
    },
  };
}

/** Who gets an object that goes or comes back depends on all that the console has of it. */
function wholeOf(subject: Subject, live: JsonObject): Subject {
  const { definition, act, outputs, program, changes, step } = subject;
  const shown = comparable(definition, outputs, publicValues(definition, live));
  const found = { ...subject, before: viewOf(definition, shown) };
  if (program === undefined || act === "archive") return found;
  const kept = Object.entries(changes).filter(([name]) => definition.fields[name] === undefined);
  const hidden = Object.entries(changes).filter(([, value]) => isHidden(value));
  const seen = { ...shown, ...picked(step.oldState?.outputs ?? {}, [managedMember]) };
  const sent = changesOf(definition, objectValues(program, seen));
  return { ...found, changes: { ...sent, ...Object.fromEntries([...kept, ...hidden]) } };
}

/** What the preview shows of a create that finds its object (`provider/engine/edits/announcement.ts`); undefined where it shows nothing. */
export function announcedCreate(subject: Subject, messages: readonly string[]): CreateFinding | undefined {
  if (subject.act !== "create" || subject.step.oldState !== undefined) return undefined;
  const told = messages.flatMap((message) => saidOf(subject, message) ?? []);
  if (told.some((text) => /^ is archived: would be brought back/.test(text)))
    return { what: "revives", place: "archived" };
  return told.some((text) => /^ exists: (?:matches the program|would change )/.test(text))
    ? { what: "adopts", place: "in use" }
    : undefined;
}
