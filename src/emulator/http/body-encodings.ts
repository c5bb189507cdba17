import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decoder>> = {
  identity: (bytes) => Promise.resolve(bytes),
  gzip: promisify(gunzip) as Decoder,
  zstd: promisify(zstdDecompress) as Decoder,
  br: promisify(brotliDecompress) as Decoder,
  deflate: promisify(inflate) as Decoder,
};

/** A body as it was before its sender packed it. Rejects for encodings that are not known, broken ones and more bytes than given. */
export async function unpacked(
  bytes: Buffer,
  encoding: string | undefined,
  mostBytes: number,
): Promise<Buffer> {
  const decoder = decoders[encoding?.trim().toLowerCase() || "identity"];
  if (decoder === undefined) throw new Error(`The content encoding ${String(encoding)} is not known`);
  return decoder(bytes, { maxOutputLength: mostBytes });
}
