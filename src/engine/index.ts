export { attempting, type CreateNotes, type EngineContext, nameOf, Unfinished } from "./context";
export { create } from "./create";
export { remove } from "./delete";
export { Holders, holderOf } from "./holders";
export { ofThis } from "./identity";
export { read } from "./read";
export { update } from "./update";
