// Candidates against hashed URIs: the time per candidate must not depend on how many hashed URIs there are.
import { strict as assert } from "node:assert";
import { hashedUriMatcher, hashUri, parseHashedUri } from "@x/hashed-uri";

const CANDIDATES = 100_000;
const LISTS = [10_000, 1_000_000];
const ROUNDS = 5;

const candidate = (i) => `http://host${i % 977}.example/path/${i}/page.html?session=${i}`;

/** Every tenth candidate is on each list; the other entries are random hashes. */
function makeList(size) {
  const list = new Array(size);
  const known = Math.min(size, CANDIDATES / 10);
  for (let i = 0; i < known; i++) list[i] = hashUri(candidate(i * 10));
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state ^ (state >>> 15)) >>> 0).toString(16).padStart(8, "0");
  };
  for (let i = known; i < size; i++) {
    list[i] = `hashed:sha1=${random()}${random()}${random()}${random()}${random()}`;
  }
  return list;
}

const candidates = Array.from({ length: CANDIDATES }, (_, i) => candidate(i));

function countMatches(match) {
  let matches = 0;
  for (const uri of candidates) if (match(uri) !== null) matches++;
  return matches;
}

const results = LISTS.map((size) => {
  const list = makeList(size);
  const start = performance.now();
  const match = hashedUriMatcher(list);
  return { size, list, match, build: performance.now() - start, best: Infinity, matches: 0 };
});

// Before it is timed, the matcher must agree with a plain search of the list.
const [{ list: smallList, match: smallMatch }] = results;
for (let i = 0; i < 200; i++) {
  const { value } = parseHashedUri(hashUri(candidates[i]));
  const found = smallList.find((text) => text.endsWith(value));
  assert.equal(smallMatch(candidates[i])?.value, found && value);
}

for (let round = 0; round < ROUNDS; round++) {
  for (const result of results) {
    const start = performance.now();
    result.matches = countMatches(result.match);
    result.best = Math.min(result.best, performance.now() - start);
    assert.equal(result.matches, CANDIDATES / 10);
  }
}

console.log(`${CANDIDATES} candidates, best of ${ROUNDS} rounds, ${CANDIDATES / 10} matches each`);
console.table(
  results.map(({ size, build, best }) => ({
    "hashed URIs": size,
    "ns to read one": Math.round((build / size) * 1e6),
    "ns a candidate": Math.round((best / CANDIDATES) * 1e6),
    "ratio to the first": (best / results[0].best).toFixed(2),
  })),
);
