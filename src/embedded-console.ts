import { embedded } from "./provider/pulumi/provider-settings";

// Loaded when needed: most consoles are somewhere else.
embedded.open = (file) => (require("./emulator") as typeof import("./emulator")).openEmbedded(file);
