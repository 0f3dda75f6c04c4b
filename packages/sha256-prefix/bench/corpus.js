import { Buffer } from "node:buffer";
import { makeUrls } from "@x/test-support/url-corpus";

const MAX_BYTES = 2 ** 19;

/**
 * The bytes of URLs without their schemes, with slices of them. Each slice starts at the host or at a suffix of the
 * host with at least two labels, and ends at the end of the URL, at its query, or after one of its first slashes. If a
 * URL is already canonical, the slices are its expressions.
 */
export function readSlices(text) {
  const lines = (text?.split(/\r?\n/) ?? makeUrls(10_000)).filter((line) => line !== "");
  const [parts, starts, ends] = [[], [], []];
  let at = 0;
  let urls = 0;
  for (const line of lines) {
    const url = line.replace(/^[a-z]+:\/\//i, "").replace(/#.*$/, "");
    const bytes = Buffer.from(/[/?]/.test(url) ? url : `${url}/`);
    if (at + bytes.length > MAX_BYTES) break;
    const host = bytes.findIndex((byte) => byte === 0x2f || byte === 0x3f);
    const cuts = new Set([bytes.length]);
    const query = bytes.indexOf("?");
    if (query >= 0) cuts.add(query);
    let slash = bytes.indexOf("/");
    for (let n = 0; n < 4 && slash >= 0 && (query < 0 || slash < query); n++) {
      cuts.add(slash + 1);
      slash = bytes.indexOf("/", slash + 1);
    }
    const labels = bytes.toString("latin1", 0, host).split(".");
    const hosts = new Set([0]);
    for (let n = Math.max(1, labels.length - 5); n < labels.length - 1; n++) {
      hosts.add(labels.slice(0, n).join(".").length + 1);
    }
    for (const start of hosts) {
      for (const end of cuts) {
        starts.push(at + start);
        ends.push(at + end);
      }
    }
    parts.push(bytes);
    at += bytes.length;
    urls++;
  }
  return { bytes: Buffer.concat(parts), starts, ends, urls };
}
