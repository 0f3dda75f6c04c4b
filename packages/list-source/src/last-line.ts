import type { CanonicalUrl } from "@x/canon";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";

/*
 * A download that was cut short usually ends in the middle of a line. The beginning of an entry often covers more than
 * the whole entry: the beginning of `https://docs.example/forms/d/1` may cover all of `docs.example`. But a source may
 * also just lack its last line end. So the last line is compared with the others.
 *
 * Some formats, such as Adblock, first judge their own last line: see `lastLine` in `formats/format.ts`.
 */

/** The forms of entries, by how much of a URL they specify. */
const HOST = 0;
const FOLDER = 1;
const PAGE = 2;
const QUERY = 3;

function formOf({ path, query }: CanonicalUrl): number {
  if (query !== null) return QUERY;
  if (!path.endsWith("/")) return PAGE;
  return path === "/" ? HOST : FOLDER;
}

/** Whether a last line without a line end was cut short, judging by the entries before it. */
export type LastLine = "whole" | "unsure" | "cut";

/** Remembers the forms of the entries, so that the last one can be compared with them. */
export interface EntryForms {
  add(url: CanonicalUrl): void;
  addHash(hash: Uint8Array): void;
  /** Judges an entry at the end of the last line. */
  compare(url: CanonicalUrl): LastLine;
  compareHash(hash: Uint8Array): LastLine;
}

export function entryForms(): EntryForms {
  let entries = 0;
  let queries = 0;
  let longest = HOST;
  let hashBytes = 0;
  return {
    add(url) {
      const form = formOf(url);
      entries++;
      if (form === QUERY) queries++;
      if (form > longest) longest = form;
    },
    addHash({ length }) {
      if (length > hashBytes) hashBytes = length;
    },
    compare(url) {
      const form = formOf(url);
      // A host or folder that was cut short covers everything below it. A page covers only itself, with any query.
      const isShort = form < PAGE ? form < longest : form === PAGE && 2 * queries > entries;
      return isShort ? "cut" : "unsure";
    },
    compareHash({ length }) {
      if (length < hashBytes) return "cut";
      return length === hashBytes || length === FULL_HASH_BYTES ? "whole" : "unsure";
    },
  };
}
