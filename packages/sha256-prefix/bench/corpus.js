import { Buffer } from "node:buffer";

const MAX_OCTETS = 2 ** 19;
const WORDS =
  "news shop mail img cdn blog login account secure update photos maps video music forum wiki docs help " +
  "about contact products category article index search page user profile static assets download media " +
  "travel sports weather health finance local events games community support gallery archive 2019 2024 " +
  "en de watch view item show list story post thread topic review recipe book film city hotel flight";
const TOP_LEVEL = "com com com com org net de co.uk io gov.au edu ru info jp".split(" ");

/** Numbers from 0 to below 1, the same ones in every run. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** URLs such as people visit: as many labels, path segments and octets as measured on real ones. */
function makeUrls(count) {
  const random = randomNumbers(1);
  const words = WORDS.split(" ");
  const pick = (from) => from[Math.floor(random() * from.length)];
  return Array.from({ length: count }, () => {
    const subdomain = random() < 0.6 ? "www." : random() < 0.4 ? `${pick(words)}.` : "";
    const host = `${subdomain}${pick(words)}${pick(words)}.${pick(TOP_LEVEL)}`;
    const segments = Array.from({ length: Math.floor(random() * 3.5) }, () =>
      random() < 0.1
        ? `${pick(words)}-${pick(words)}-${pick(words)}-${Math.floor(random() * 1e6)}`
        : pick(words),
    );
    const query = random() < 0.07 ? `?id=${Math.floor(random() * 1e9)}` : "";
    return `http://${[host, ...segments].join("/")}${random() < 0.5 || segments.length === 0 ? "/" : ".html"}${query}`;
  });
}

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
