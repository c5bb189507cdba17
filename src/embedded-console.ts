import { embedded } from "./provider/pulumi/embedded";

// Loaded when needed: most consoles are somewhere else.
embedded.open = (file) => (require("./emulator") as typeof import("./emulator")).openEmbedded(file);
