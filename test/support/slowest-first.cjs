const { default: Sequencer } = require("@jest/test-sequencer");

/** The slow files, the slowest first. */
const slow = Object.keys(require("../slow-files.json"));
/** The rest of what takes long. All others are many short files, which fill the gaps at the end. */
const long = ["limits", "e2e", "bench", "laws/lifecycle", "engine/keys", "faults", "model"];
const known = [...slow, ...long.map((folder) => `test/${folder}`)];

function rank({ path }) {
  const found = known.findIndex((name) => path.replaceAll("\\", "/").includes(`/${name}`));
  return found < 0 ? known.length : found;
}

/** Jest's order, but with what takes long first on a machine too that has never run the tests. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
