import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  askConsole,
  type Change,
  makeReview,
  type Review,
  readPreview,
  subjectsOf,
} from "../../src/tools/review";
import type { Step } from "../../src/tools/stack/preview";
import { Desk } from "../drift/desk";

/** A desk whose previews are text, as `pulumi preview --json` prints them. */
export class ReviewDesk extends Desk {
  /** `traffic`: checks an hour by resource, as state would know them. */
  async previewText(traffic: Readonly<Record<string, number>> = {}): Promise<string> {
    const { steps } = await this.stack.preview();
    const { resources } = await this.stack.exported();
    const declared = new Set(steps.map(({ urn }) => urn));
    const gone = resources
      .filter(({ urn }) => !declared.has(urn))
      .map((oldState): Step => ({ op: "delete", urn: oldState.urn, oldState, changedPaths: [] }));
    const all = [...steps, ...gone].map((step) => withTraffic(step, traffic));
    const ops = all.map(({ op }) => op);
    const changeSummary = Object.fromEntries(ops.map((op) => [op, ops.filter((one) => one === op).length]));
    return JSON.stringify({ steps: all, changeSummary });
  }

  /** `feature-console report`. `isOffline`: it asks no console; `change`: what else the text of the preview has. */
  async report({ isOffline = false, change = (text: string) => text } = {}): Promise<Review> {
    const preview = readPreview(change(await this.previewText()));
    const subjects = subjectsOf(preview);
    if (isOffline) return makeReview(preview, subjects);
    const console = { ...this.ports.console, environment: () => ({}), folder: this.folder };
    const ports = { stack: this.stack, console, progress: () => {} };
    const found = await askConsole(preview, subjects, ports);
    return makeReview(preview, subjects, found);
  }
}

/** The change of the object that is called so. */
export function changeOf({ changes }: Review, called: string): Change {
  return changes.find((one) => one.called === called) as Change;
}

export function factsOf({ facts }: Change): string[] {
  return facts.map(({ level, text }) => `${level}: ${text}`);
}

function withTraffic(step: Step, traffic: Readonly<Record<string, number>>): Step {
  const count = traffic[step.urn.split("::").at(-1) ?? ""];
  if (count === undefined || step.oldState === undefined) return step;
  const outputs: JsonObject = { ...step.oldState.outputs, checksPerHour: count };
  return { ...step, oldState: { ...step.oldState, outputs } };
}

/** Each change as the document shows it, and its reasons below it. */
export function reportText({ changes }: Review): string {
  return changes
    .flatMap(({ risk, title, called, headline, facts }) => [
      `${risk}: ${title} "${called}" · ${headline}`,
      ...facts.map(({ level, about, text }) => `  ${level} ${about}: ${text}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

export function reviewOf(...steps: readonly object[]): Review {
  return makeReview(readPreview(JSON.stringify({ steps })));
}

/** A report as it has to be. */
export function golden(name: "forty-changes" | "moves"): string {
  return readFileSync(path.join(__dirname, `${name}.txt`), "utf8");
}
