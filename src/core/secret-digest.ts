import { createHash } from "node:crypto";

/** A text that tells a secret from others and leads nobody back to it: 128 bits of its SHA-256, in hexadecimal digits. */
export function secretDigest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 32);
}
