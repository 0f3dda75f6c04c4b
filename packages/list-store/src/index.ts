export { collectGarbage, type Garbage, type GarbageOptions } from "./collect-garbage.ts";
export { readContents, type StoredContents } from "./contents.ts";
export {
  type CopiedList,
  type CopyOptions,
  type CopyProgress,
  copyList,
} from "./copy-list.ts";
export { StoreError, type StoreErrorCode } from "./error.ts";
export type { SortedHashes } from "./full-hashes.ts";
export {
  type EntryChange,
  type EntryHistory,
  type ListHistory,
  readHistory,
} from "./history.ts";
export { loadList, PREFIX_LENGTHS } from "./load-list.ts";
export { listNames, readEntry } from "./log-files.ts";
export type { About, Contents, Manifest } from "./manifest.ts";
export { checkTimes, type LogEntry, parseEntry } from "./manifest.ts";
export { findFullHashes } from "./open-list.ts";
export {
  type Publication,
  type Published,
  type PublishProgress,
  publish,
  type Rollback,
  renew,
  retire,
  rollBack,
  withdraw,
} from "./publish.ts";
export type { Renewal } from "./publisher.ts";
export {
  readNewest,
  readPrevious,
  readUnprovenKeys,
  type StoredList,
} from "./read-log.ts";
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
export { type KeptVersion, type LoadedList, type LoadOptions, readSnapshot } from "./snapshot.ts";
export {
  checkFolder,
  checkKey,
  checkListName,
  isListName,
  longestFile,
  memoryStorage,
  type Sha256,
  type Storage,
  type StorageEntry,
  UNFINISHED_FOLDER,
} from "./storage.ts";
export type { SeenVersion } from "./trusted-log.ts";
export { upgradeList } from "./upgrade.ts";
export type { CheckChange, NextVersion } from "./write-contents.ts";
