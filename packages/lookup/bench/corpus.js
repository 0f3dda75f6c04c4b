import { readFileSync } from "node:fs";

/** A generator of pseudo-random numbers below `n`, the same ones at each run (mulberry32). */
function randomizer(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const WORDS =
  "about account admin archive article assets blog book catalog content css data de detail doc download en faculty files forum gallery help home images index info item library main media members news page papers people photo product profile program project public reports research resources reviews school search section services shop show site software staff static store students support tag team topics travel university user video view web wiki work".split(
    " ",
  );
const DOMAINS = "com com com com org org net edu gov co.uk de fr info ca com.au ac.jp io".split(
  " ",
);
const ENDINGS = [".html", ".htm", ".php", ".pdf", "/", "/", "", ""];

/**
 * URLs shaped like those of real traffic: a median of about 42 characters, mostly canonical, 7 % with a
 * query, about 1 % with an escape, a port, a fragment, a capital in the host or no path.
 */
export function makeCorpus(count, seed = 1) {
  const random = randomizer(seed);
  const word = () => WORDS[random(WORDS.length)];
  return Array.from({ length: count }, (_, i) => {
    const labels = [
      random(3) > 0 ? "www" : word(),
      `${word()}${word()}${i % 9973}`,
      DOMAINS[random(DOMAINS.length)],
    ];
    if (random(12) === 0) labels.unshift(word());
    let path = "/";
    for (let depth = random(4); depth > 0; depth--) path += `${word()}/`;
    if (random(3) > 0) path += `${word()}${random(1000)}${ENDINGS[random(ENDINGS.length)]}`;
    const query = random(100) < 7 ? `?${word()}=${random(100000)}&${word()}=${word()}` : "";
    const url = `${random(4) > 0 ? "https" : "http"}://${labels.join(".")}${path}${query}`;
    switch (random(500)) {
      case 0:
        return `${url.replace("/", "/%20")}`.replace("/%20/", "//");
      case 1:
        return `${url}#${word()}`;
      case 2:
        return url.replace("www", "WWW");
      case 3:
        return url.replace(path + query, `:8080${path}${query}`);
      case 4:
        return url.replace(path + query, "");
      default:
        return url;
    }
  });
}

/** The lines of a file of URLs, or a corpus made here. */
export function readCorpus(file, count = 50_000) {
  if (file === undefined) return makeCorpus(count);
  return readFileSync(file, "utf8").split(/\r?\n/).filter(Boolean);
}
