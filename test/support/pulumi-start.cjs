// Before it starts a host, Pulumi asks a process of Node.js where the host is: there is nothing to make faster.
if (process.argv[1] !== undefined) require("./pulumi-preload.cjs");
