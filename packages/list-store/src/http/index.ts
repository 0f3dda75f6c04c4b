export type { TransportOptions } from "../requests.ts";
export { httpStorage } from "./http-storage.ts";
