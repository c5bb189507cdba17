/** What the guides use of curl, for machines that have Node.js and no curl: -X METHOD, -H HEADER, and flags without a value. */
const { argv } = require("node:process");

const request = { method: "GET", headers: {} };
let url = "";
for (let at = 2; at < argv.length; at += 1) {
  if (argv[at] === "-X") request.method = argv[++at];
  else if (argv[at] === "-H") {
    const [name, ...value] = argv[++at].split(": ");
    request.headers[name] = value.join(": ");
  } else if (!argv[at].startsWith("-")) url = argv[at];
}
async function send() {
  const answer = await fetch(url, request);
  process.stdout.write(await answer.text());
  process.exitCode = answer.ok ? 0 : 22;
}
void send();
