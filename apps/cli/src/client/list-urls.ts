import type { Context } from "../context.ts";
import type { ReadListUrl } from "../input/list-files.ts";
import type { StoredListOptions } from "./stored-lists/stored-list-options.ts";

/** The options of commands that check against lists at URLs. */
export interface ListUrlOptions extends StoredListOptions {
  readonly maxAge?: number;
}

/**
 * Returns a function that reads lists at URLs. The modules for URLs are loaded only when they are needed, because most
 * commands read files.
 */
export function listUrlReader(options: ListUrlOptions, context: Context): ReadListUrl {
  return async (url) => {
    const { loadStoredList } = await import("./stored-lists/refresh-stored-list.ts");
    return loadStoredList(url, options, context);
  };
}
