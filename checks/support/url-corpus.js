const WORDS =
  "news shop mail img cdn blog login account secure update photos maps video music forum wiki docs help " +
  "about contact products category article index search page user profile static assets download media " +
  "travel sports weather health finance local events games community support gallery archive 2019 2024";
const TOP_LEVEL = "com com com com org net de co.uk io gov.au edu ru info jp".split(" ");

/** Pseudorandom numbers in [0, 1), the same in every run. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/**
 * Makes URLs like those that people visit, with as many queries, escapes, ports, fragments and capital
 * letters as real ones have. Nearly all of them are already canonical.
 */
export function makeUrls(count) {
  const random = randomNumbers(1);
  const words = WORDS.split(" ");
  const pick = (from) => from[Math.floor(random() * from.length)];
  return Array.from({ length: count }, () => {
    const subdomain = random() < 0.6 ? "www." : random() < 0.4 ? `${pick(words)}.` : "";
    let host = `${subdomain}${pick(words)}${pick(words)}.${pick(TOP_LEVEL)}`;
    if (random() < 0.003) host = host.toUpperCase();
    if (random() < 0.002) host += ":8080";
    if (random() < 0.002) host = pick(["192.168.0.1", "127.1", "0x7f000001", "3279880203"]);
    let path = "/";
    for (let segments = Math.floor(random() * 3.5); segments > 0; segments--) {
      path += random() < 0.1 ? `${pick(words)}-${Math.floor(random() * 1e6)}` : pick(words);
      if (random() < 0.004) path += pick(["%20", "%C3%A9", "%2e", "%2541"]);
      if (random() < 0.001) path += pick(["/..", "/.", "//"]);
      if (segments > 1 || random() < 0.5) path += "/";
    }
    const query = random() < 0.07 ? `?id=${Math.floor(random() * 1e9)}` : "";
    const fragment = random() < 0.003 ? "#top" : "";
    return `${random() < 0.6 ? "https" : "http"}://${host}${path}${query}${fragment}`;
  });
}
