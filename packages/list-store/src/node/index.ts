export { directoryStorage } from "./directory-storage.ts";
export { ifThere, type OpenedFile, readRegularFile, writeWhole } from "./whole-file.ts";
