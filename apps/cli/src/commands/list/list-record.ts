import type { PrefixList } from "@x/prefix-list";

/** The facts about a list and its file, as JSON. */
export interface ListRecord {
  readonly file: string;
  readonly name: string;
  readonly created: string;
  readonly prefixes: number;
  readonly lengths: PrefixList["lengths"];
  readonly checksum: string;
  readonly fileBytes: number;
}

export function listRecord(file: string, fileBytes: number, list: PrefixList): ListRecord {
  return {
    file,
    name: list.name,
    created: new Date(list.created).toISOString(),
    prefixes: list.size,
    lengths: list.lengths,
    checksum: list.checksum,
    fileBytes,
  };
}
