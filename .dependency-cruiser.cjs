const { rooms, together, more } = require("./rooms.cjs");

const namesIn = (text) =>
  text.split(" ").flatMap((name) => (Object.hasOwn(together, name) ? namesIn(together[name]) : name));

const place = (name) => `^src/${name.replaceAll(".", "[.]")}${name.endsWith(".ts") ? "$" : "/"}`;

/** How an import of one of these shows, once it is resolved. */
function shown(name) {
  if (name.startsWith("node:")) return [`^(node:)?${name.slice(5) || "[a-z0-9_/]+"}$`];
  if (name.endsWith(".ts") || Object.hasOwn(rooms, name) || /^(provider|emulator|tools)\b/.test(name))
    return [place(name)];
  return [`node_modules/${name}/`, `node_modules/@types/${name}/`, `^${name}(/|$)`];
}

const rule = (name, allowed, except = []) => ({
  name,
  severity: "error",
  comment: `src/${name} may import only itself and ${allowed.join(", ")}.`,
  from: { path: place(name), pathNot: except.map(place) },
  to: { pathNot: [place(name), ...allowed.flatMap(shown)] },
});

const roomOf = (file) => Object.keys(rooms).find((room) => file.startsWith(`${room}/`));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, text]) => rule(room, namesIn(text), Object.keys(more))),
    ...Object.entries(more).map(([file, text]) => {
      const room = roomOf(file);
      return rule(file, [room, ...namesIn(rooms[room]), ...namesIn(text)]);
    }),
    {
      name: "no-circle",
      severity: "error",
      comment: "A file may not import one that imports it, by way of others either.",
      from: { path: "^src/" },
      to: { circular: true },
    },
    {
      name: "policy",
      severity: "error",
      comment: "policy is a package of its own: of this one it may import its facts.",
      from: { path: "^policy/src/" },
      to: {
        pathNot: [
          "^policy/src/",
          place("tools/facts/index.ts"),
          ...["luxon", "@pulumi/policy", "node:"].flatMap(shown),
        ],
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
