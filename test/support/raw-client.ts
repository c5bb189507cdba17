import { type ConsoleClient, createClient } from "../../src/provider/client";

/** A client by which a test sends whatever it likes, as other people's programs do. */
export type RawClient = {
  readonly [K in keyof ConsoleClient]: {
    readonly [R in keyof ConsoleClient[K]]: ConsoleClient[K][R] extends (...given: never) => infer Answer
      ? (input?: { readonly [name: string]: unknown }) => Answer
      : never;
  };
};

/** A client that takes any body. */
export function rawClient(...given: Parameters<typeof createClient>): RawClient {
  // Its type promises more than it checks: what is sent is checked by the console.
  return createClient(...given) as unknown as RawClient;
}

/** All objects of a list, page after page. */
export async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of list) all.push(one);
  return all;
}
