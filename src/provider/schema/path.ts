/** A place inside a value. */
export type Path = readonly (string | number)[];

/** The path as a user writes it: `rules[0].conditions[1].operator`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );
}

/** The place of a member, as Pulumi writes its property paths: `defaultValue.limit`, `defaultValue["x.y"]`. */
export function memberText(text: string, name: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
  return text === "" ? name : `${text}.${name}`;
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null
        ? (inner as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}

/** The values at a path, in every element of the arrays on the way. */
export function valuesAt(value: unknown, [step, ...rest]: Path): unknown[] {
  if (step === undefined) return [value];
  if (typeof step === "number")
    return Array.isArray(value) ? value.flatMap((one: unknown) => valuesAt(one, rest)) : [];
  return typeof value === "object" && value !== null
    ? valuesAt((value as Record<string, unknown>)[step], rest)
    : [];
}

/** A value with something else at a path, made of what is there; as it is where nothing has that path. A step may be the name of an element. */
export function replacedAt(
  value: unknown,
  [step, ...rest]: Path,
  make: (inner: unknown) => unknown,
): unknown {
  if (step === undefined) return make(value);
  if (Array.isArray(value))
    return value.map((inner: unknown, index) =>
      index === step || (typeof step === "string" && valueAt(inner, ["name"]) === step)
        ? replacedAt(inner, rest, make)
        : inner,
    );
  if (typeof value !== "object" || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [step]: replacedAt(members[step], rest, make) };
}

/** The step of a property path that means every element, or every member. */
export const everyMember = "*";

/** A property path of Pulumi: `rules[0].passPercentage`, `defaultValue["x.y"]`. `marks`: steps that are no names, such as `*`. */
export function propertyText(path: Path, marks: readonly string[] = []): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" || marks.includes(step) ? `${text}[${step}]` : memberText(text, step),
    "",
  );
}

/**
 * The steps of a property path as Pulumi writes it, such as `rules[*].passPercentage` or `defaultValue["x.y"]`; undefined for a text
 * that is none.
 */
export function propertyPath(text: string): Path | undefined {
  const steps: (string | number)[] = [];
  const step = /\.?\[(?:"((?:\\"|[^"])*)"|(\*|\d+))\]|(?:^|\.)([^.[]+)/y;
  while (step.lastIndex < text.length) {
    const [whole, quoted, index, name] = step.exec(text) ?? [];
    if (whole === undefined) return undefined;
    if (index !== undefined) steps.push(index === everyMember ? index : Number(index));
    else steps.push(name ?? String(quoted).replaceAll('\\"', '"'));
  }
  return steps;
}
