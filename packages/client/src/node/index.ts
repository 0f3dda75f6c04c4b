export { directoryStorage } from "./directory-storage.ts";
