export type { TransportOptions } from "../transport/send-with-retries.ts";
export { httpStorage } from "./http-storage.ts";
