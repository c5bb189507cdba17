import { pathPrefix } from "../../provider/client/profile";
import { secretOf } from "../../provider/schema/object-id";
import type { Ingress } from "../http/ingress";
import type { Router } from "../http/routing";
import type { Answer, ObjectName, Question } from "../page/ports";
import { createConsolePage } from "../page/requests";
import type { Store } from "../store/store";
import type { Behaviour } from "./behaviour";
import { type ConsoleSettings, handle } from "./console";

/** Options of the page. */
export interface PageOptions {
  /**
   * Evaluates by the service's own SDK, started on a document (`sdkDocuments().v1`). Rejects with a message for a person.
   * Left out: the page says that there is no SDK to ask.
   */
  readonly evaluate?: (document: string, question: Question) => Promise<readonly Answer[]>;
}

/** The console that the page shows. */
export interface Shown {
  readonly store: Store;
  readonly router: Router;
  readonly settings: ConsoleSettings;
  readonly kinds: readonly Behaviour[];
  /** The document of `statsig-node`. */
  document(): string;
}

/** The same ingress, which answers requests for the page too. What the page reads meets no fault, needs no key and is not recorded. */
export function withPage(ingress: Ingress, shown: Shown, { evaluate }: PageOptions): Ingress {
  const { store, router, settings, kinds, document } = shown;
  const keyless = { ...settings, needsKey: false };
  const page = createConsolePage({
    read: (path) =>
      handle(store, router, keyless, { method: "GET", target: `${pathPrefix}${path}`, headers: {} }),
    revision: () => store.revision(),
    clock: settings.ports.clock,
    usersOf: (kind, id) => objectsUsing(store, kinds, kind, id),
    ...(evaluate === undefined ? {} : { evaluate: async (question) => evaluate(document(), question) }),
  });
  return {
    ...ingress,
    receive: async (request) => (await page(request)) ?? ingress.receive(request),
  };
}

function objectsUsing(store: Store, kinds: readonly Behaviour[], kind: string, id: string): ObjectName[] {
  return store.transaction("read", (world) =>
    kinds
      // An object whose id is a secret is named nowhere.
      .filter(({ definition }) => secretOf(definition) === undefined)
      .flatMap(({ definition: { name } }) =>
        world.referrers(`${kind}:${id}`, name).map((user) => ({ kind: name, id: user })),
      ),
  );
}
