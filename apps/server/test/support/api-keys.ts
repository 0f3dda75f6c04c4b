import { type ApiKeys, apiKeys } from "../../src/serve/api-keys.ts";

/** Reads one reader per line: the hash of a key, or `public`, and the names of lists or `-`. */
export function apiKeysFrom(text: string): ApiKeys {
  const rows = text
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim().split(/\s+/))
    .filter(([hash]) => hash !== "")
    .map(([hash, names]) => ({ hash: hash!, lists: names === "-" ? [] : names!.split(",") }));
  const isPublic = ({ hash }: { readonly hash: string }) => hash === "public";
  const publicLists = rows.filter(isPublic).flatMap(({ lists }) => lists);
  return apiKeys(
    rows.filter((row) => !isPublic(row)),
    new Set(publicLists),
  );
}
