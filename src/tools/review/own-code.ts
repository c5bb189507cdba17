import { foreignCode, foreignCodeAdvice, foreignCodeText } from "../../provider/pulumi/runs/foreign-code";
import type { PreviewResult } from "./preview-json";

/** @throws Error where the state that a preview shows holds code of somebody else: nothing that it says can be relied on. */
export function requireOwnCode({ steps }: PreviewResult): void {
  const states = steps.flatMap(({ oldState }) => (oldState === undefined ? [] : [oldState]));
  const urns = foreignCode(states);
  if (urns.length > 0) throw new Error(`${foreignCodeText(urns)} ${foreignCodeAdvice}`);
}
