export { type DirectoryStorage, directoryStorage } from "./directory-storage.ts";
export { readRegularFile } from "./regular-file.ts";
export { ifThere, type OpenedFile, writeWhole } from "./whole-file.ts";
