export { type IndexedDbOptions, indexedDbStorage } from "./indexed-db-storage.ts";
