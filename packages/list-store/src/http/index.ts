export type { TransportOptions } from "../transport/transport.ts";
export { httpStorage } from "./http-storage.ts";
