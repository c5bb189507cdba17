import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { visibleLines } from "../texts/issue-text";

/** Lines for the user, by the log of Pulumi's engine. */
export class EngineLog {
  readonly #client: EngineClient;
  readonly #underWay = new Set<Promise<void>>();

  /** `address`: of the engine, as it gives it to a plugin. */
  constructor(address: string) {
    this.#client = new EngineClient(address, credentials.createInsecure());
  }

  /** Hands a line over. Never fails: a line that the engine does not take is lost, and no change is. */
  info(line: string): void {
    const request = new LogRequest().setSeverity(LogSeverity.INFO).setMessage(visibleLines(line));
    const sent = new Promise<void>((resolve) => this.#client.log(request, () => resolve())).finally(() =>
      this.#underWay.delete(sent),
    );
    this.#underWay.add(sent);
  }

  /** Waits until the engine has every line: it stops listening right after the last answer. */
  async flushed(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
