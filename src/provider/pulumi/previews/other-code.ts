import * as pulumi from "@pulumi/pulumi";
import { knownValue } from "../output-parts";
import { codeOf, otherCode, otherCodeAdvice, otherCodeText } from "../runs/foreign-code";
import type { StackState } from "../runs/stack-state";
import { providerMember } from "../wire";

/** Notice of a preview about code in the state that neither this package nor the program brings; undefined where there is none. */
export async function otherCodeNotice(stack: object, state: StackState): Promise<string | undefined> {
  const stored = [...state].map(([urn, one]) => ({ urn, ...one }));
  if (otherCode(stored).length === 0) return undefined;
  const urns = otherCode(stored, new Set(await codesOfProgram(stack)));
  return urns.length === 0 ? undefined : `${otherCodeText(urns, true)} ${otherCodeAdvice}`;
}

/** The code that the program itself brings, by type: it registers each of its dynamic resources with it. */
async function codesOfProgram(resource: object): Promise<string[]> {
  const {
    __childResources: below = [],
    __pulumiType: type = "",
    [providerMember]: provider,
  } = resource as {
    __childResources?: Iterable<object>;
    __pulumiType?: string;
    [providerMember]?: unknown;
  };
  const text = pulumi.CustomResource.isInstance(resource) ? await knownValue(provider) : undefined;
  const own = typeof text === "string" ? [codeOf(type, text)] : [];
  return [own, ...(await Promise.all([...below].map(codesOfProgram)))].flat();
}
