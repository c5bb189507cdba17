import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { createEmulator } from "../../src/emulator";
import { Plugin } from "../../src/provider/native/plugin";
import type { ProcessPorts } from "../../src/provider/pulumi/runs/session";
import { configFor, startProcess } from "../support/in-process";
import { callsOf } from "../support/native";
import { type Bag, fromStruct, toStruct } from "../support/wire-json";

export const urnOf = (kind: string, name = "one"): string =>
  `urn:pulumi:dev::test::feature-console:index:${kind}::${name}`;

/** Calls of a plugin over a console, left out: of its own, in the messages of the protocol. */
export function startPlugin(emulator = createEmulator(), ports: Partial<ProcessPorts> = {}) {
  const { transport } = emulator;
  const config = configFor({ url: "http://127.0.0.1:9" });
  const lines: string[] = [];
  const plugin = new Plugin(
    (report) => startProcess(config, { folder: undefined, report, transport, ...ports }),
    (line) => void lines.push(line),
  );
  const call = callsOf(plugin);
  /** `outputs`: those in state; left out: the engine sends none. */
  const check = async (
    urn: string,
    news: object,
    { olds = {}, outputs }: { olds?: Bag; outputs?: Bag } = {},
  ) => {
    const request = new proto.CheckRequest()
      .setUrn(urn)
      .setNews(toStruct({ ...news }))
      .setOlds(toStruct(olds));
    if (outputs !== undefined) request.setOldOutputs(toStruct(outputs));
    const answer = await call<proto.CheckResponse>("check", request);
    const failures = answer.getFailuresList().map((one) => [one.getProperty(), one.getReason()] as const);
    return { inputs: fromStruct(answer.getInputs()), failures };
  };
  const diff = (urn: string, state: Bag, olds: Bag, news: Bag, ignored: string[] = []) => {
    const request = new proto.DiffRequest()
      .setUrn(urn)
      .setId(urn.split("::").at(-1) ?? "")
      .setIgnorechangesList(ignored);
    request.setOlds(toStruct(state)).setOldInputs(toStruct(olds)).setNews(toStruct(news));
    return call<proto.DiffResponse>("diff", request);
  };
  return { call, check, diff, lines, emulator };
}
