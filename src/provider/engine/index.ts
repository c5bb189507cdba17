export { countKind, isAlwaysThere, isCountable, isListed, type StateObject } from "./census";
export { consoleTimeOf } from "./claims/entry-time";
export type { Finding } from "./claims/evidence";
export { refuseTakenName } from "./claims/name-conflict";
export { forgetCreate, laterAdopter, takenOverText } from "./claims/origin";
export { inPlaceRefusal } from "./claims/takeover";
export {
  attempting,
  type CreateJournal,
  type EngineContext,
  elsewhereText,
  isElsewhere,
  type JournalEntry,
  nameOf,
  objectLabel,
  PartialFailure,
  type Permissions,
  type ResourceNames,
} from "./context";
export { create, findForCreate } from "./create";
export { remove } from "./delete";
export { announcement } from "./edits/announcement";
export { anotherObjectText } from "./edits/another-object";
export { seenMarks } from "./edits/concurrent-edits";
export { lookUpItem, lookUpList, lookups, lookupsOf } from "./look-up";
export { isStored, Ownership, ownerOf } from "./ownership";
export { isMissing, read, readLive } from "./read";
export { isClosed, reviewsIn } from "./reviews/marks";
export { namesInReview, reviewLines, settleAccepted } from "./reviews/stored-reviews";
export { compareConsoles } from "./same-console";
export { withSecretPaths } from "./secret-ids";
export { refusalInArchive } from "./transitions";
export { update } from "./update";
export { isKeptWhileUsed, type PossibleUser, possibleUsers, usersById, usersNow } from "./users";
