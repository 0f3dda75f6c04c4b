export { type S3Place, s3Environment } from "./environment.ts";
export { type S3Credentials, type S3StorageOptions, s3Storage } from "./s3-storage.ts";
