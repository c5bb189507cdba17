/** What keys of well-known services begin with. Written in parts, so that no scanner takes this list for keys. */
const prefixes: readonly RegExp[] = [
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[opsur]_\w{20,}/,
  /\bgithub_pat_\w{20,}/,
  /\bglpat-[\w-]{15,}/,
  /\bxox[abprs]-[\w-]{10,}/,
  /\b(sk|rk|pk)_(live|test)_\w{10,}/,
  /\bsk-[\w-]{20,}/,
  /\bAIza[\w-]{30,}/,
  /\bya29\.[\w-]{20,}/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /\bnpm_[A-Za-z0-9]{30,}/,
  /\bpypi-[\w-]{30,}/,
  /\bdop_v1_[0-9a-f]{40,}/,
  /\bpul-[0-9a-f]{40}\b/,
  /\b(secret|console)-([A-Za-z0-9]{20,}|[A-Za-z0-9]{12}-[A-Za-z0-9]{12})\b/,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/i,
  // 32 bytes, as most programs make their keys.
  /\b[0-9a-f]{64}\b/i,
  // Of a connection string: `Server=db;Password=…;`.
  /(^|;)\s*(password|pwd|accountkey|sharedaccesskey)\s*=\s*[^;\s][^;]*;|;\s*(password|pwd|accountkey|sharedaccesskey)\s*=\s*[^;\s]/i,
];

const shortest = 24;

/**
 * True for a text that holds what looks like a key or a password: by what it begins with, or a word so mixed that nobody has
 * made it up. `entropy`: from so many bits a character on.
 */
export function looksSecret(text: string, entropy: number): boolean {
  if (prefixes.some((prefix) => prefix.test(text))) return true;
  return text.split(/[^\w+/=-]+/).some((word) => isRandom(word, entropy));
}

function isRandom(word: string, entropy: number): boolean {
  if (word.length < shortest || isOrdinary(word)) return false;
  return /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && entropyOf(word) >= entropy;
}

/** Ids, paths and names that are made of words: long, and known to all. */
function isOrdinary(word: string): boolean {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word);
  return isUuid || word.split(/[/_-]/).every((part) => part.length < 16);
}

/** Bits a character. */
function entropyOf(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / word.length;
    return sum - share * Math.log2(share);
  }, 0);
}
