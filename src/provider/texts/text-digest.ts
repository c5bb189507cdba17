import { hash } from "node:crypto";

/** A text that tells a secret from others and leads nobody back to it: 128 bits of its SHA-256, in hexadecimal digits. */
export function secretDigest(secret: string): string {
  return hash("sha256", secret).slice(0, 32);
}

/** A digest of any text, in twelve characters: enough to tell the few values of one field apart. */
export function textDigest(text: string): string {
  return hash("sha256", text).slice(0, 12);
}
