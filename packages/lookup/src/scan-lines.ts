import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "./type-error.ts";
import { FILL_OCTETS, MAX_URLS, type UrlBatch } from "./url-batch.ts";
import type { LineVerdict } from "./verdict.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** What came of a buffer of lines. */
export interface ScanResult {
  /** Lines, blank ones too. */
  readonly lines: number;
  /** Lines that are not blank. */
  readonly checked: number;
  /** Of the lines that are listed or are not URLs, in their order. */
  readonly findings: readonly LineVerdict[];
}

/**
 * Checks the lines of a buffer where they stand, a block of whole lines at a time. No string is made of a
 * line that is a canonical URL.
 */
export function scanLines(batch: UrlBatch, octets: Uint8Array): ScanResult {
  if (!isUint8Array(octets)) throw typeError("lines", "a Uint8Array", octets);
  const findings: LineVerdict[] = [];
  const lineOf = new Uint32Array(MAX_URLS);
  const startOf = new Float64Array(MAX_URLS);
  const endOf = new Float64Array(MAX_URLS);
  let lines = 0;
  let checked = 0;

  const finish = () => {
    checked += batch.count();
    for (const { index, matches, error } of batch.finish()) {
      const [line, start, end] = [lineOf[index]!, startOf[index]!, endOf[index]!];
      findings.push({ line, start, end, matches, error });
    }
  };

  for (let block = afterByteOrderMark(octets); block < octets.length; ) {
    const blockEnd = endOfBlock(octets, block);
    const fits = blockEnd - block <= FILL_OCTETS;
    if (fits) batch.fill(octets.subarray(block, blockEnd));
    for (let start = block; start < blockEnd; ) {
      const feed = octets.indexOf(LINE_FEED, start);
      const next = feed < 0 ? octets.length : feed + 1;
      let end = feed < 0 ? octets.length : feed;
      if (end > start && octets[end - 1] === CARRIAGE_RETURN) end--;
      if (!isBlank(octets, start, end)) {
        const url = batch.count();
        lineOf[url] = lines;
        startOf[url] = start;
        endOf[url] = end;
        if (fits) batch.addStanding(start - block, end - block);
        else batch.add(octets.subarray(start, end));
        if (batch.isFull()) finish();
      }
      lines++;
      start = next;
    }
    finish();
    block = blockEnd;
  }
  return { lines, checked, findings };
}

/** Where the first line starts: a byte order mark would make its scheme or its host another one. */
function afterByteOrderMark(octets: Uint8Array): number {
  return BYTE_ORDER_MARK.every((octet, i) => octets[i] === octet) ? BYTE_ORDER_MARK.length : 0;
}

/** Whether a line holds nothing but what is removed from the ends of a URL. */
function isBlank(octets: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const octet = octets[i];
    if (octet !== SPACE && octet !== TAB && octet !== CARRIAGE_RETURN) return false;
  }
  return true;
}

/** Where the last line ends that fits into a block; of a longer line, where it ends. */
function endOfBlock(octets: Uint8Array, block: number): number {
  const most = block + FILL_OCTETS;
  if (octets.length <= most) return octets.length;
  const last = octets.lastIndexOf(LINE_FEED, most - 1);
  if (last >= block) return last + 1;
  const feed = octets.indexOf(LINE_FEED, most);
  return feed < 0 ? octets.length : feed + 1;
}
