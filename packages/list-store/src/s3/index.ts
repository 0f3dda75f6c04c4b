export { type S3Place, s3Environment } from "./environment.ts";
export type { S3Credentials, S3StorageOptions } from "./s3-requests.ts";
export { s3Storage } from "./s3-storage.ts";
