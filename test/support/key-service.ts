import { json } from "node:stream/consumers";
import { serveHttp } from "./http-server";

/** Names the service below to Pulumi. */
export const secretsProvider = "hashivault://tests";

/**
 * Starts a service that keeps the key by which Pulumi encrypts the secrets of a stack, and answers as Vault does. With a passphrase
 * each run of the CLI derives the key anew, which takes a third of a second of processor time.
 */
export async function startKeyService() {
  const prefix = "vault:v1:";
  const { url, close } = await serveHttp(async (request, response) => {
    const { plaintext, ciphertext = "" } = (await json(request)) as {
      plaintext?: string;
      ciphertext?: string;
    };
    const data =
      plaintext === undefined
        ? { plaintext: ciphertext.slice(prefix.length) }
        : { ciphertext: `${prefix}${plaintext}` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  });
  return { env: { VAULT_SERVER_URL: url, VAULT_SERVER_TOKEN: "none" }, close };
}
