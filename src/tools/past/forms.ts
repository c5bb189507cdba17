import { auditOf, type Change, lastChangeOf } from "../../provider/schema/audit";
import type { JsonObject } from "../../provider/schema/json";
import type { Consoles } from "../drift";
import type { ObjectPlace } from "../drift/live";

/** An object as it was from one change to the next. */
export interface Form {
  /** Counts the changes; undefined where the console does not show it. */
  readonly version: number | undefined;
  /** Who brought it into this form, and when. */
  readonly change: Change;
  readonly values: JsonObject;
}

/** The forms of an object as far as the console keeps them, newest first: the one that it has, and the former ones. None of an object that is gone. */
export async function formsOf(consoles: Consoles, object: ObjectPlace): Promise<readonly Form[]> {
  const { definition, id = "", provider } = object;
  const live = await consoles.live(definition, id, provider);
  if (live === undefined) return [];
  const former = (await consoles.formsSince(object, 0)).map((values) => ({ ...live, ...values }));
  const [now, ...others] = [live, ...former].map((values): Form => {
    const { version } = auditOf(definition, values);
    return { version, change: lastChangeOf(definition, values), values };
  });
  // The reference does not tell whether the list holds the present form too.
  const isOther = ({ version }: Form) => version === undefined || version !== now?.version;
  return now === undefined ? [] : [now, ...others.filter(isOther)];
}
