import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { packedLines } from "../id-lists/packed";
import { isObject, type JsonObject, mapped } from "../schema/json";
import type { Path } from "../schema/path";
import { assetSignature, SIGNATURE } from "../schema/unknown";

/** Signature of the secrets that Pulumi's wire packs (`sdk/go/common/resource/properties.go` of pulumi/pulumi). */
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Values as a program sets them. */
export interface Received {
  readonly values: JsonObject;
  /** Paths of the secrets of the program. */
  readonly secrets: readonly Path[];
}

/** Values of Pulumi's wire without their packing: secrets in the clear, and a file as its name or its lines. */
export function received(struct: Struct | undefined): Received {
  const secrets: Path[] = [];
  const values = plain(struct?.toJavaScript() ?? {}, [], secrets);
  return { values: values as JsonObject, secrets };
}

function plain(value: unknown, path: Path, secrets: Path[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => plain(item, [...path, index], secrets));
  if (!isObject(value)) return value;
  if (value[SIGNATURE] === secretSignature) {
    secrets.push(path);
    return plain(value.value, path, []);
  }
  if (value[SIGNATURE] === assetSignature && typeof value.text === "string") return packedLines(value.text);
  if (value[SIGNATURE] === assetSignature && typeof value.path === "string") return { file: value.path };
  return mapped(value, (member, name) => plain(member, [...path, name], secrets));
}

/** Values for Pulumi's wire. `secrets`: top-level names that are secrets, with all that is inside. */
export function sent(values: JsonObject, secrets: ReadonlySet<string>): Struct {
  const packed = mapped(values, (value, name) =>
    secrets.has(name) ? { [SIGNATURE]: secretSignature, value } : value,
  );
  return Struct.fromJavaScript(packed as Parameters<typeof Struct.fromJavaScript>[0]);
}

/** The top-level names of paths. */
export function topNames(paths: readonly Path[]): Set<string> {
  return new Set(paths.map(([name]) => String(name)));
}
