import { afterEach, expect } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { mustStayQuiet, quiet } from "./quiet";
import { type Resource, type Subject, type SubjectOptions, startSubject } from "./subject";

/** The console and the provider of the running test. */
export let subject: Subject;

const started: Subject[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

/** Starts a console and a provider of a kind, which end with the test. */
export async function start(definition: ResourceDefinition, options?: SubjectOptions): Promise<Subject> {
  subject = await startSubject(definition, options);
  started.push(subject);
  return subject;
}

const ofKind = () => subject.raw[subject.definition.name as "gate"];

/** An object as the console has it. */
export const live = async (id: string): Promise<JsonObject> => ofKind().get({ id, name: id });

/** An edit of a person in the console. */
export const edit = async (id: string, body: JsonObject): Promise<JsonObject> => ofKind().patch({ id, body });

/** Elements of a list, as the console has them. */
export const listOf = async (id: string, member = "rules"): Promise<JsonObject[]> =>
  (await live(id))[member] as JsonObject[];

/** Names and percentages of the rules in the console. */
export const shares = async (id: string): Promise<unknown[][]> =>
  (await listOf(id)).map(({ name, passPercentage }) => [name, passPercentage]);

/** A rule for everyone. */
export const rule = (name: string, passPercentage: number, more: JsonObject = {}): JsonObject => ({
  ...{ name, passPercentage, conditions: [{ type: "public" }] },
  ...more,
});

/** The console answers the next request of the form otherwise. */
export function fault(...forms: Partial<Fault>[]): void {
  subject.emulator.addFaults(forms.map((form) => ({ times: 1, ...form })));
}

/** Routes of the writes since the last call. */
export function sent(): (string | undefined)[] {
  const routes = subject.writes().map(({ route }) => route);
  subject.emulator.clearRequests();
  return routes;
}

/** What a refresh finds of an object that must be there. */
export async function refreshed(resource: Resource): Promise<Resource> {
  const found = await subject.refresh(resource);
  if (found === undefined) throw new Error(`${resource.id} is gone`);
  return found;
}

export const expectQuiet = async (resource: Resource, args: JsonObject): Promise<void> =>
  expect(await subject.diff(resource, args)).toEqual(quiet);

export const expectChange = async (resource: Resource, args: JsonObject): Promise<void> =>
  expect(await subject.diff(resource, args)).toMatchObject({ quiet: false });

/** Quiet as it is, and after a refresh. */
export const staysQuiet = (resource: Resource, args: JsonObject): Promise<Resource> =>
  mustStayQuiet(subject, resource, args);

/** An update, after which all is quiet. */
export const updated = async (resource: Resource, args: JsonObject): Promise<Resource> =>
  staysQuiet(await subject.update(resource, args), args);
