export { hashesOnList } from "./contents/hashes-on-list.ts";
export { readSnapshot } from "./contents/snapshot.ts";
export type { SortedHashes } from "./contents/sort-full-hashes.ts";
export { readContents, type StoredContents } from "./contents/stored-contents.ts";
export {
  type CopiedList,
  type CopyOptions,
  type CopyProgress,
  copyList,
} from "./copying/copy-list.ts";
export { StoreError, type StoreErrorCode } from "./error.ts";
export { checkListName, isListName, UNFINISHED_FOLDER } from "./keys.ts";
export { listNames, readEntry } from "./log-files.ts";
export type { Contents, Manifest } from "./manifest.ts";
export { checkTimes, type LogEntry, parseEntry } from "./manifest.ts";
export type { Sha256 } from "./objects.ts";
export { collectGarbage, type Garbage, type GarbageOptions } from "./publishing/collect-garbage.ts";
export type { CheckChange, NextVersion } from "./publishing/new-contents.ts";
export {
  type Publication,
  type Published,
  type PublishProgress,
  publish,
  type Renewal,
  type Rollback,
  renew,
  retire,
  rollBack,
  withdraw,
} from "./publishing/publish.ts";
export {
  readNewest,
  readPrevious,
  readUnprovenKeys,
  type StoredList,
} from "./read-log.ts";
export { findFullHashes } from "./reading/find-full-hashes.ts";
export { loadList, PREFIX_LENGTHS } from "./reading/load-list.ts";
export type { KeptVersion, LoadedList, LoadOptions } from "./reading/loaded-list.ts";
export {
  checkPublicKey,
  generateSigningKey,
  isSignedByOne,
  publicKeysIn,
  type Signer,
  signerOf,
  textOfNote,
  type Verify,
} from "./signed-note.ts";
export {
  checkFolder,
  checkKey,
  longestFile,
  memoryStorage,
  type Storage,
  type StorageEntry,
} from "./storage.ts";
export type { SeenVersion } from "./trusted-log.ts";
