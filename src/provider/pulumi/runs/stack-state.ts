import * as pulumi from "@pulumi/pulumi";
import type { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { messageOf } from "../../schema/errors";
import { isObject, type JsonObject, mapped } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import { unpacked } from "../../values/hidden-state";
import { mocksOf } from "../mocks";
import { late, within } from "../patience";
import { providerMarks, withoutMarks } from "../provider-settings";

/** A resource as the last update has left it. */
export interface StoredResource {
  /** Pulumi type. */
  readonly type: string;
  /** With secrets in plain text, without the id. */
  readonly outputs: JsonObject;
}

/** The resources of a stack, by URN. */
export type StackState = ReadonlyMap<string, StoredResource>;

const token = "pulumi:pulumi:readStackResourceOutputs";

/**
 * A CLI before this may have made a stack on a file backend without any state in it, and dies of this call then. Later ones
 * write a state when they make a stack. Source: `createStack` and `GetStackResourceOutputs` of the CLI, 3.150 to 3.259.
 */
const saneVersions = ">=3.150.0";

/** Time for a backend to answer, milliseconds. A preview must not wait for more than it would miss. */
const patienceMs = 10_000;

/** One for each program: with the Automation API a process runs several. */
const known = new WeakMap<object, Promise<StackState | undefined>>();

/** Why the state of a program could not be read. */
const unread = new WeakMap<object, string>();

/** Programs whose update has noted it. */
const noted = new WeakSet<object>();

/**
 * The state of the program's own stack, read once. Undefined in unit tests, and wherever it cannot be read, which is no reason to
 * fail.
 */
export function storedState(): Promise<StackState | undefined> {
  const monitor = pulumi.runtime.getMonitor();
  // The mocks of a unit test are not asked what they do not expect.
  if (monitor === undefined || mocksOf(monitor) !== undefined) return Promise.resolve(undefined);
  return keptIn(known, monitor, () => readPatiently(monitor));
}

/** Why {@link storedState} has no state; undefined where it has one, and in unit tests. */
export function whyUnread(): string | undefined {
  const monitor = pulumi.runtime.getMonitor();
  return monitor === undefined ? undefined : unread.get(monitor);
}

/**
 * Has Pulumi note in an update what {@link storedState} has it note in a preview: a default provider for its own functions.
 * A plan (`--strict`, `--save-plan`, PULUMI_EXPERIMENTAL) names it, and where it did not come the update would fail at its
 * end, with all done. Pulumi does not tell a program of its plan. Asks for what the CLI has at hand, and never fails.
 */
export async function noteAsInPreview(stackUrn: Promise<unknown>): Promise<void> {
  const monitor = pulumi.runtime.isDryRun() ? undefined : pulumi.runtime.getMonitor();
  if (monitor === undefined || mocksOf(monitor) !== undefined || noted.has(monitor)) return;
  noted.add(monitor);
  // A program that is done before this has begun would be gone.
  const end = pulumi.runtime.rpcKeepAlive();
  try {
    await pulumi.runtime.requirePulumiVersion(saneVersions);
    await invokeQuietly("pulumi:pulumi:getResource", { urn: await stackUrn });
  } catch {
    // It is noted before it is asked.
  } finally {
    end();
  }
}

async function readPatiently(monitor: object): Promise<StackState | undefined> {
  try {
    const state = await within(patienceMs, read());
    if (state !== late) return state;
    unread.set(monitor, `no answer within ${patienceMs / 1000} s`);
  } catch (error) {
    unread.set(monitor, messageOf(error).split("\n", 1)[0] ?? "");
  }
  return undefined;
}

async function read(): Promise<StackState> {
  await pulumi.runtime.requirePulumiVersion(saneVersions);
  const { outputs } = (await invokeQuietly(token, { stackName: stackName() })) as {
    outputs: Record<string, { type: string; outputs: unknown }>;
  };
  const own = `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::`;
  return new Map(
    Object.entries(outputs)
      .filter(([urn]) => urn.startsWith(own))
      .map(([urn, { type, outputs: values }]) => [
        urn,
        { type, outputs: isObject(values) ? unpacked(values) : {} },
      ]),
  );
}

/** The name by which the CLI knows the program's own stack; undefined where nothing runs it, as in unit tests. */
export function ownStackName(): string | undefined {
  try {
    return stackName();
  } catch {
    return undefined;
  }
}

/**
 * Pulumi's service would look for a bare name among the stacks of whoever runs this, and not in the organization of the
 * stack; a file backend, whose only organization is called "organization", may know no other names than bare ones.
 */
function stackName(): string {
  const organization = pulumi.getOrganization();
  const name = pulumi.getStack();
  return organization === "organization" ? name : `${organization}/${pulumi.getProject()}/${name}`;
}

/** The part of a connection to the engine that is used here. */
interface Monitor {
  invoke(request: object, done: (error: Error | null, answer: InvokeResponse) => void): unknown;
}

/**
 * Calls a function of the engine, as `pulumi.runtime.invoke` does. That one writes the whole answer into the log of the program,
 * which `pulumi up --json` and `--debug` print: with a state, the secrets of every resource.
 */
async function invokeQuietly(token: string, args: JsonObject): Promise<JsonObject> {
  const { ResourceInvokeRequest } =
    require("@pulumi/pulumi/proto/resource_pb") as typeof import("@pulumi/pulumi/proto/resource_pb");
  const { Struct } =
    require("google-protobuf/google/protobuf/struct_pb") as typeof import("google-protobuf/google/protobuf/struct_pb");
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const request = new ResourceInvokeRequest()
    .setTok(token)
    .setArgs(Struct.fromJavaScript(args as Parameters<typeof Struct.fromJavaScript>[0]));
  // A program that is done before the answer would be gone.
  const end = pulumi.runtime.rpcKeepAlive();
  try {
    const answer = await new Promise<InvokeResponse>((resolve, reject) =>
      monitor.invoke(request, (error, found) => (error === null ? resolve(found) : reject(error))),
    );
    const values = answer.getReturn();
    if (values === undefined) return {};
    const read = pulumi.runtime.deserializeProperties(values) as JsonObject;
    return mapped(read, (value) => pulumi.runtime.unwrapRpcSecret(value));
  } finally {
    end();
  }
}

/** The configuration of the program's stack. */
export const stackConfig = withoutMarks((key) => pulumi.runtime.getConfig(key));

/** @throws RunError for a configuration that would count as the settings of a provider of the program. */
export function refuseMarksInStack(): void {
  const mark = providerMarks.find((name) => pulumi.runtime.getConfig(name) !== undefined);
  if (mark === undefined) return;
  throw new pulumi.RunError(
    `${mark} stands in the stack's configuration, and only a provider of a program has it. Type: pulumi config rm ${mark}`,
  );
}
