export type { S3Credentials, S3StorageOptions } from "./requests.ts";
export { s3Environment, s3Storage } from "./s3-storage.ts";
