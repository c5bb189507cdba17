/**
 * Stands for what Pulumi's SDK loads in order to serialise functions: npm's installer and TypeScript, half of all modules
 * that a test would load. This package never lets it serialise one; if it did, the test would fail here.
 */
module.exports = new Proxy(
  {},
  {
    get(_, name) {
      if (name === "__esModule" || typeof name === "symbol") return undefined;
      throw new Error(`Pulumi's SDK serialises a function: it asks for ${name}`);
    },
  },
);
