import { type PromotePorts, plannedPromotion } from "../../src/tools/promote/promote-in-stacks";
import { stackDifferences } from "../../src/tools/review";
import { writeProgram } from "../../src/tools/rewrite/into-program";
import { type Desk, settingsFile } from "../drift/desk";

export type Asked = Partial<Parameters<typeof plannedPromotion>[2]>;

/** `feature-console promote dev prod`, as far as the question whether to go on. */
export function planned(dev: Desk, prod: Desk, asked: Asked = {}) {
  return plannedPromotion(portsOf(dev, prod), prod.programPorts, { names: [], keep: [], ...asked });
}

/** `feature-console promote dev prod --yes`. */
export async function promoted(dev: Desk, prod: Desk, asked: Asked = {}) {
  const plan = await planned(dev, prod, asked);
  writeProgram(prod.folder, prod.programPorts, plan.acceptance);
  return plan;
}

/** `feature-console compare dev prod`: what differs, by name, and the objects of one stack alone. */
export async function compared(dev: Desk, prod: Desk): Promise<Record<string, string>> {
  const from = { name: "dev", exported: await dev.stack.exported() };
  const to = { name: "prod", exported: await prod.stack.exported() };
  const { differing, onlyIn } = stackDifferences(from, to);
  return Object.fromEntries([
    ...differing.map(({ name, headline }) => [name, headline]),
    ...onlyIn.from.map(({ name }) => [name, "only in dev"]),
    ...onlyIn.to.map(({ name }) => [name, "only in prod"]),
  ]);
}

function portsOf(dev: Desk, prod: Desk): PromotePorts {
  const named = (api: Desk, name: string) => ({
    ...{ name, stack: api.stack, console: api.ports.console, progress: () => {} },
    settings: { file: settingsFile, text: api.settings },
  });
  return {
    ...{ from: named(dev, "dev"), to: named(prod, "prod"), project: "desk", progress: () => {} },
    previewWith: (settings) => prod.previewWith(settings),
  };
}
