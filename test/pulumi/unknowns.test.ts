import { expect, test } from "@jest/globals";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { type Path, pathText, valueAt } from "../../src/provider/schema/path";
import { UNKNOWN as UNKNOWN_VALUE } from "../../src/provider/schema/unknown";
import { start, subject } from "../laws/harness";
import { kinds } from "../laws/subject";
import { samplesOf } from "../samples";
import { named } from "../support/driver";
import { playsAll } from "../support/sample";

const asked = ["Gate", "DynamicConfig", "Segment", "Layer", "AssignmentSource"];

test.each(kinds.filter(([kind]) => asked.includes(kind)))(
  "a value of a %s that is not known yet passes check and counts as a change, wherever it stands; what is known is checked",
  async (kind, definition) => {
    await start(definition);
    const sample = named(definition, samplesOf(definition).fullest, `${kind}_known`);
    const made = await subject.up(sample);
    const { check, diff } = subject.calls();
    const text = { __program: { name: "resource" }, __provider: subject.text };
    subject.emulator.clearRequests();
    const found: unknown[] = [];
    for (const path of placesIn(sample)) {
      const args = replacedAt(sample, path, UNKNOWN_VALUE) as JsonObject;
      const news = { ...args, ...text };
      const [first, next] = [await check({}, news), await check(made.inputs, news)];
      const { changes, replaces } = await diff(made.id, made.outputs, next.inputs);
      const [name] = path as [string];
      found.push([pathText(path), first.failures, next.failures, marks(first.inputs), marks(next.inputs)]);
      if (changes === "none") found.push([pathText(path), "is no change"]);
      if ((definition.fields[name]?.traits.replaces === true) !== replaces.includes(name))
        found.push([pathText(path), replaces]);
    }
    expect(found).toEqual(placesIn(sample).map((path) => [pathText(path), [], [], 1, 1]));
    const unknown = Object.fromEntries(Object.keys(sample).map((name) => [name, UNKNOWN_VALUE]));
    expect(await subject.checked(unknown)).toMatchObject(unknown);
    const [list] = Object.keys(sample).filter((one) => Array.isArray(sample[one])) as [string];
    const wrong = { ...(replacedAt(sample, [list, 0], UNKNOWN_VALUE) as JsonObject), wrong: 1 };
    expect(await subject.problems(wrong)).toEqual([
      { property: "wrong", reason: expect.stringContaining("unknown argument") },
    ]);
    expect(subject.emulator.requests).toEqual([]);
  },
);

/** Of each kind, from the shallowest to the deepest alike; `npm run prove -- cases` takes all. */
const mostPlaces = 25;

test.each(kinds)(
  "no line or problem of a %s shows the mark of a value that is not known yet",
  async (_, definition) => {
    await start(definition);
    const reasons: string[] = [];
    const sample = named(definition, samplesOf(definition).fullest, "open");
    const made = await subject.up(sample);
    const args = (path: Path) => ({
      ...(replacedAt(sample, path, UNKNOWN_VALUE) as JsonObject),
      __program: { name: "resource", preview: true },
    });
    const places = placesIn(sample);
    const step = playsAll ? 1 : Math.ceil(places.length / mostPlaces);
    for (const path of places.filter((_, at) => at % step === 0)) {
      const failures = [await subject.problems(args(path)), await subject.problems(args(path), made.inputs)];
      reasons.push(...failures.flat().map(({ reason }) => reason));
      await subject.plan(made, args(path)).catch((error: Error) => reasons.push(error.message));
    }
    expect([...subject.lines, ...reasons].filter((line) => line.includes(UNKNOWN_VALUE))).toEqual([]);
  },
);

/** Every place inside a value, outermost first. */
function placesIn(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path];
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [...own, ...inner.flatMap(([step, member]) => placesIn(member, [...path, step]))];
}

function replacedAt(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const inner = replacedAt(valueAt(value, [step]), rest, by);
  if (Array.isArray(value)) return value.with(Number(step), inner);
  return { ...(value as JsonObject), [step]: inner };
}

/** How often the mark of an unknown value occurs. */
function marks(value: unknown): number {
  return JSON.stringify(value).split(UNKNOWN_VALUE).length - 1;
}
