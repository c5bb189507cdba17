export { announcement } from "./announcement";
export { findClaim, findOnly } from "./claim";
export {
  attempting,
  type Consent,
  type EngineContext,
  elsewhereText,
  isElsewhere,
  type Journal,
  type JournalEntry,
  nameCalled,
  nameOf,
  PartialFailure,
  type PreviewNote,
  type PreviewNotes,
} from "./context";
export { create } from "./create";
export { remove } from "./delete";
export { ofThis } from "./identity";
export { refuseTakenName } from "./namesake";
export { forgetCreate } from "./own";
export { Ownership, ownerOf } from "./ownership";
export { forgetPreview, notePreview, refuseUnforeseen } from "./preview-notes";
export { read } from "./read";
export { type SecretIds, withSecretPaths } from "./secret-ids";
export { refusalFor } from "./take";
export { update } from "./update";
