import { Failure } from "@x/command-line";
import { checkListName } from "@x/list-store";
import { isUrl } from "../../publish/fetch/source-url.ts";

/** The sources of each list. */
export type SourcesByList = ReadonlyMap<string, readonly string[]>;

/** Reads arguments such as `malware=urls.txt`; a list may be named more than once. */
export function sourcesByList(given: readonly string[]): SourcesByList {
  const lists = new Map<string, string[]>();
  for (const each of given) {
    const at = each.indexOf("=");
    // Text that may be a URL is not quoted, since it may contain a password.
    if (isUrl(each)) {
      throw new Failure(
        "Expected NAME=SOURCE, such as malware=https://feed.example/urls.txt, not a URL alone",
      );
    }
    if (at < 1 || at === each.length - 1 || each.slice(0, at).includes(":")) {
      const not = each.includes(":") ? "" : `, not ${JSON.stringify(each)}`;
      throw new Failure(`Expected NAME=SOURCE, such as malware=urls.txt${not}`);
    }
    const name = each.slice(0, at);
    checkListName(name);
    lists.set(name, [...(lists.get(name) ?? []), each.slice(at + 1)]);
  }
  return lists;
}
