/** The policy pack that `pulumi preview --policy-pack` starts. */
import { PolicyPack } from "@pulumi/policy";
import { policiesOf } from "./pack";
import { rules } from "./rules";
import { readState, type StackState } from "./state";

let state: Promise<StackState> | undefined;

// Read once, before the first resource is judged: an update changes it.
const stateOf = (urn: string): Promise<StackState> => {
  state ??= readState(urn, { folder: process.cwd(), environment: process.env });
  return state;
};

const told = new Set<string>();
const tell = (note: string): void => {
  if (!told.has(note)) console.error(note);
  told.add(note);
};

new PolicyPack("feature-console", {
  policies: policiesOf(rules, {
    ...{ stateOf, tell },
    circumstances: () => ({ now: new Date(), environment: process.env }),
  }),
});
