import { Buffer } from "node:buffer";
import { makeUrls } from "@x/test-support/url-corpus";

const MAX_OCTETS = 2 ** 19;
/**
 * The octets of URLs without their schemes, and slices of them: from the host or from its parts with at least
 * two labels, to the end of the URL, to its query, and to each of its first slashes. It is what a list of URL
 * hashes is asked for, without the care for what is not canonical.
 */
export function readSlices(text) {
  const lines = (text?.split(/\r?\n/) ?? makeUrls(10_000)).filter((line) => line !== "");
  const [parts, starts, ends] = [[], [], []];
  let at = 0;
  let urls = 0;
  for (const line of lines) {
    const url = line.replace(/^[a-z]+:\/\//i, "").replace(/#.*$/, "");
    const octets = Buffer.from(/[/?]/.test(url) ? url : `${url}/`);
    if (at + octets.length > MAX_OCTETS) break;
    const host = octets.findIndex((octet) => octet === 0x2f || octet === 0x3f);
    const cuts = new Set([octets.length]);
    const query = octets.indexOf("?");
    if (query >= 0) cuts.add(query);
    let slash = octets.indexOf("/");
    for (let n = 0; n < 4 && slash >= 0 && (query < 0 || slash < query); n++) {
      cuts.add(slash + 1);
      slash = octets.indexOf("/", slash + 1);
    }
    const labels = octets.toString("latin1", 0, host).split(".");
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
    parts.push(octets);
    at += octets.length;
    urls++;
  }
  return { octets: Buffer.concat(parts), starts, ends, urls };
}
