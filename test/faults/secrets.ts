/** The key of the matrix: every character that some encoding writes differently, and nothing that looks like a real one. */
export const matrixKey: string = ["fault", "matrix\\key", 'with"odd', "/+=&%?", "signs"].join("~");

/** Looks for a secret in everything that leaves the provider. */
export type Scanner = ReturnType<typeof createScanner>;

/** A scanner for one secret, in the forms that an encoding may give it. */
export function createScanner(secret: string) {
  const forms = formsOf(secret);
  const artefacts: Record<string, number> = {};
  const hits: string[] = [];
  let bytes = 0;
  return {
    /** Looks through a text; `what` says what it is. */
    look(what: string, text: string) {
      artefacts[what] = (artefacts[what] ?? 0) + 1;
      bytes += Buffer.byteLength(text);
      for (const [form, needle] of Object.entries(forms))
        if (text.includes(needle)) hits.push(`${what}: ${form}`);
    },
    /** How many texts there were, by what they are, and where the secret was found. */
    result: () => ({ artefacts, bytes, hits }),
  };
}

/** The secret as it is, and as encodings write it. Within longer base64 it has three forms, by where it begins. */
export function formsOf(secret: string): Record<string, string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const within = [0, 1, 2].map((shift) => {
    const text = Buffer.from(`${"x".repeat(shift)}${secret}`)
      .toString("base64")
      .replace(/=+$/, "");
    return [`base64 at ${shift}`, text.slice(shift === 0 ? 0 : shift + 1, -2)];
  });
  return {
    plain: secret,
    "JSON text": json,
    "JSON in JSON": JSON.stringify(json).slice(1, -1),
    "URL text": encodeURIComponent(secret),
    "form text": new URLSearchParams([["", secret]]).toString().slice(1),
    ...Object.fromEntries(within),
  };
}
