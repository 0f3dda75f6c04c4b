import { StoreError } from "../error.ts";
import { isVersionKey } from "../keys.ts";
import type { HttpAnswer } from "../transport/send-with-retries.ts";
import { isWebPage } from "./web-page.ts";

/**
 * Whether the answer says that there is no such file. Throws if the answer neither says that nor contains the file.
 */
function saysMissing(where: string, key: string, { status, bytes }: HttpAnswer): boolean {
  if (status === 404 || status === 410) return true;
  // S3 sends this status for missing files when the bucket cannot be listed. A reader without access still gets an
  // error, because the hint is read first and is refused.
  if (status === 403 && isVersionKey(key)) return true;
  if (status === 401 || status === 403) {
    throw new StoreError("refused", `${where} refuses access to ${key} (status ${status})`);
  }
  if (status !== 200) {
    throw new StoreError("not-a-store", `${where} answers with status ${status} for ${key}`);
  }
  if (isWebPage(bytes)) {
    throw new StoreError("not-a-store", `${where} sends a web page instead of the file ${key}`);
  }
  return false;
}

/**
 * Returns a function that says whether an answer means that a file is missing.
 *
 * Some hosts answer with status 200 for files that they do not have, so every version would seem to exist. After
 * two versions, the function therefore asks for one that no store has, unless the host has reported a missing file
 * before.
 */
export function missingFiles(
  where: string,
  fetchKey: (key: string) => Promise<HttpAnswer>,
): (key: string, answer: HttpAnswer) => Promise<boolean> {
  let reportsMissing = false;
  let firstVersion: string | null = null;
  async function checkVersions(key: string): Promise<void> {
    firstVersion ??= key;
    if (reportsMissing || firstVersion === key) return;
    const none = key.replace(/\d+$/, "000000000000");
    reportsMissing = saysMissing(where, none, await fetchKey(none));
    if (!reportsMissing) {
      throw new StoreError(
        "not-a-store",
        `${where} answers with status 200 for files that do not exist, such as ${none}`,
      );
    }
  }

  return async (key, answer) => {
    if (saysMissing(where, key, answer)) {
      reportsMissing = true;
      return true;
    }
    if (isVersionKey(key)) await checkVersions(key);
    return false;
  };
}
