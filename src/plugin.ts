#!/usr/bin/env node
import "./node-guard";
import "./embedded-console";

import { readFileSync } from "node:fs";
import path from "node:path";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Plugin } from "./provider/native/plugin";
import { serviceOf } from "./provider/native/service";
import { ProviderProcess } from "./provider/pulumi/process";
import { runtimeIn } from "./provider/pulumi/runs/project-file";
import { writeArgumentsFor } from "./provider/texts/argument-names";
import { visibleLines } from "./provider/texts/issue-text";

/** Messages of Pulumi hold whole states: a set of many ids is large. The limit of Pulumi's own plugins. */
const largestMessage = 400 * 1024 * 1024;

/** Time between two looks for Pulumi, which started the plugin, milliseconds. */
const betweenLooksMs = 1000;

/** Lines for the user, by the log of Pulumi's engine. `address`: of the engine, as it gives it to a plugin. */
function engineLog(address: string) {
  const client = new EngineClient(address, credentials.createInsecure());
  const underWay = new Set<Promise<void>>();
  return {
    /** Hands a line over. Never fails: a line that the engine does not take is lost, and no change is. */
    info(line: string): void {
      const request = new LogRequest().setSeverity(LogSeverity.INFO).setMessage(visibleLines(line));
      const sent = new Promise<void>((resolve) => client.log(request, () => resolve())).finally(() =>
        underWay.delete(sent),
      );
      underWay.add(sent);
    },
    /** Waits until the engine has every line: it stops listening right after the last answer. */
    flushed: async (): Promise<void> => void (await Promise.all(underWay)),
  };
}

/** Answers Pulumi's engine, which starts this program with its own address and reads the port from the first line. */
async function main([engine]: readonly string[]): Promise<void> {
  const log = engine === undefined ? undefined : engineLog(engine);
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  // Pulumi starts the plugin where the program is, and tells no language.
  writeArgumentsFor(runtimeIn(process.cwd()));
  const plugin = new Plugin(
    (report) => new ProviderProcess({ report }),
    log === undefined ? print : (line) => log.info(line),
  );
  const service = serviceOf(plugin, {
    version: versionOf(),
    environment: () => process.env,
    schema: () => readFileSync(path.join(__dirname, "generated", "package-schema.json"), "utf8"),
    logged: () => log?.flushed() ?? Promise.resolve(),
  });
  const server = new Server({
    "grpc.max_receive_message_length": largestMessage,
    "grpc.max_send_message_length": largestMessage,
  });
  server.addService(ResourceProviderService as unknown as Parameters<Server["addService"]>[0], service);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  endWith(server);
  process.stdout.write(`${port}\n`);
}

/** Pulumi ends a plugin by SIGINT, which a person's Ctrl-C sends too: calls that are under way end first. */
function endWith(server: Server): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => server.tryShutdown(() => process.exit(0)));
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) process.exit(0);
  };
  setInterval(look, betweenLooksMs).unref();
}

function versionOf(): string {
  const file = path.join(__dirname, "..", "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
