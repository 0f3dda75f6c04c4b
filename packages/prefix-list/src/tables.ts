export { decodeTables, encodeTables } from "./file/table-file.ts";
