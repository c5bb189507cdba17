/**
 * Serves S3 with an empty bucket `state` on the loopback interface: a process of its own, which Jest transforms nothing of.
 * Arguments: the port, a folder for its objects, and the secret of the access key `test`.
 */
const { rename } = require("node:fs/promises");
const S3rver = require("@20minutes/s3rver");
const { DUMMY_ACCOUNT } = require("@20minutes/s3rver/lib/models/account");

const [port, directory, secret] = process.argv.slice(2);
DUMMY_ACCOUNT.createKeyPair("test", secret);
const server = new S3rver({
  ...{ address: "127.0.0.1", port: Number(port), directory },
  ...{ silent: true, vhostBuckets: false, configureBuckets: [{ name: "state" }] },
});

// S3 keeps an object whole or not at all: an upload of a killed process leaves the one that was there.
const write = server.store.putContent.bind(server.store);
let uploads = 0;
server.store.putContent = async (file, content) => {
  uploads += 1;
  const part = `${file}.${uploads}.part`;
  const written = await write(part, content);
  await rename(part, file);
  return written;
};

server.run().catch((error) => {
  console.error(error);
  process.exit(1);
});
