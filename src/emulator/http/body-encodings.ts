import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import { Refusal } from "../console/rules/outcomes";

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decoder>> = {
  identity: (bytes) => Promise.resolve(bytes),
  gzip: promisify(gunzip) as Decoder,
  zstd: promisify(zstdDecompress) as Decoder,
  br: promisify(brotliDecompress) as Decoder,
  deflate: promisify(inflate) as Decoder,
};

/** A body as it was before its sender packed it. Rejects with a 415 for unknown encodings, 400 for broken ones and 413 for more bytes than given. */
export async function unpacked(
  bytes: Buffer,
  encoding: string | undefined,
  mostBytes: number,
): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  const decoder = decoders[encoding?.trim().toLowerCase() || "identity"];
  if (decoder === undefined) throw new Refusal(415, `Unsupported content encoding "${String(encoding)}"`);
  return decoder(bytes, { maxOutputLength: mostBytes }).catch((error: { readonly code?: string }) => {
    throw error.code === "ERR_BUFFER_TOO_LARGE"
      ? new Refusal(413, "Request body too large")
      : new Refusal(400, `The request body is no ${String(encoding)}`);
  });
}
