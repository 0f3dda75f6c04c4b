import { isVersionKey } from "../keys.ts";
import type { S3Requests } from "./s3-requests.ts";

/**
 * Returns a function that says whether the answer `AccessDenied` may mean that a file is missing.
 *
 * If a client may not list the bucket, S3 answers with status 403 for missing files. The client must still be able to
 * ask for the next version. If a client may list the bucket, 403 means that access is refused.
 */
export function missingFiles(requests: S3Requests): (key: string) => Promise<boolean> {
  let mayList: Promise<boolean> | null = null;
  return async (key) => {
    if (!isVersionKey(key)) return false;
    mayList ??= requests
      .sendForPage(key.slice(0, key.lastIndexOf("/") + 1), null)
      .then(({ status }) => status === 200);
    mayList.catch(() => {
      mayList = null;
    });
    return !(await mayList);
  };
}
