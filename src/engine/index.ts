export { announcement } from "./announcement";
export { requireSameObject } from "./answered-object";
export { seenMarks } from "./concurrent-edits";
export {
  attempting,
  type CreateJournal,
  type EngineContext,
  elsewhereText,
  isElsewhere,
  type JournalEntry,
  nameCalled,
  nameOf,
  PartialFailure,
  type Permissions,
  type PreviewNote,
  type PreviewNotes,
} from "./context";
export { create } from "./create";
export { remove } from "./delete";
export { findClaim, findSingletonClaim } from "./evidence";
export { findForCreate } from "./find-for-create";
export { refuseTakenName } from "./name-conflict";
export { forgetCreate, takenSince, takerOf } from "./origin";
export { isStored, Ownership, ownerOf } from "./ownership";
export { forgetPreview, notePreview, refuseUnannounced } from "./preview-notes";
export { read } from "./read";
export { refusalFor } from "./refusal";
export { type SecretIds, withSecretPaths } from "./secret-ids";
export { update } from "./update";
