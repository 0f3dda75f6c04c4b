export { decodeTables, encodeTables } from "./table-file.ts";
