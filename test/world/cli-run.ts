import { EngineRun } from "./engine";
import type { Held } from "./programs";
import type { ProcessOptions, ProviderCode, ProviderProcess } from "./provider";
import type { Run, Setting } from "./steps";

/** Where a run takes place. */
export interface RunPlace extends Omit<ProcessOptions, "report"> {
  readonly code: ProviderCode;
  readonly stack: string;
}

const forever = new Promise<void>(() => {});

/** One run of the CLI: a process of the provider, which remembers nothing of other runs, and what it reported. */
export class CliRun {
  readonly lines: string[] = [];
  readonly #place: RunPlace;
  readonly #process: ProviderProcess;

  constructor(place: RunPlace) {
    this.#place = place;
    const { code, stack: _, ...options } = place;
    this.#process = code.start({ ...options, report: (line) => this.lines.push(line) });
  }

  /** Plays a command from a state. */
  play(
    state: readonly Held[],
    work: (engine: EngineRun) => Promise<Run>,
    how: Partial<Pick<Setting, "preview" | "cut" | "death" | "dice">> = {},
  ): Promise<Run> {
    const { code, stack, adapter } = this.#place;
    const setting = { code, stack, adapter, process: this.#process, preview: false, death: forever, ...how };
    return work(new EngineRun(setting, state));
  }
}
