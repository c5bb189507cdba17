import type { Transport } from "../../src/provider/client/transport";
import type { HttpServer } from "./http-server";
import { startRelay } from "./relay";

/** Consoles by the key that leads to each: at the service one address has all projects, and the key decides. */
export type ProjectsByKey = Readonly<Record<string, { readonly url: string; readonly transport: Transport }>>;

/** The same answers for code of this process. */
export function transportByKey(projects: ProjectsByKey): Transport {
  return {
    send: (request) => {
      const key =
        Object.values(request.headers).find((value) => value !== undefined && value in projects) ?? "";
      const project = projects[key] ?? Object.values(projects)[0];
      if (project === undefined) throw new Error("no project");
      return project.transport.send(request);
    },
  };
}

/** One address of this machine for all of them. An unknown key gets what the first one answers to it. */
export async function startProjectsByKey(projects: ProjectsByKey): Promise<HttpServer> {
  const [first] = Object.keys(projects);
  return startRelay(projects[first ?? ""]?.url ?? "", async (request, ask) => {
    const key = Object.values(request.headers)
      .flat()
      .find((value) => value !== undefined && value in projects);
    return ask(request, projects[key ?? ""]?.url);
  });
}
