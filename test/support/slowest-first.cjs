const { default: Sequencer } = require("@jest/test-sequencer");

/** What takes long, the longest first. The rest are many short files, which fill the gaps at the end. */
const long = ["limits", "e2e", "bench", "laws/lifecycle", "engine/keys", "faults", "model"];

function rank({ path }) {
  const found = long.findIndex((name) => path.replaceAll("\\", "/").includes(`/test/${name}`));
  return found < 0 ? long.length : found;
}

/** Jest's order, but with what takes long first on a machine too that has never run the tests. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
