// Matches candidates against lists: the time per candidate must not depend on the length of the list.
import { strict as assert } from "node:assert";
import { hashedUriMatcher, hashUri, parseHashedUri } from "@x/hashed-uri";
import { compare, printMachine, printTable, printTimings } from "@x/test-support/benchmark";

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

const lists = LISTS.map((size) => {
  const list = makeList(size);
  const start = performance.now();
  const match = hashedUriMatcher(list);
  return { size, list, match, milliseconds: performance.now() - start };
});

// Before the measurement, the matcher must agree with a plain search of the list.
const [{ list: smallList, match: smallMatch }] = lists;
for (let i = 0; i < 200; i++) {
  const { value } = parseHashedUri(hashUri(candidates[i]));
  const found = smallList.find((text) => text.endsWith(value));
  assert.equal(smallMatch(candidates[i])?.value, found && value);
}

printMachine();
console.log(
  `${CANDIDATES} candidates, best of ${ROUNDS} rounds, ${CANDIDATES / 10} matches each\n`,
);
printTable(
  ["hashed URIs", "ns per hashed URI to read"],
  lists.map(({ size, milliseconds }) => [String(size), ((milliseconds / size) * 1e6).toFixed(0)]),
);
const timings = await compare({
  candidates: Object.fromEntries(
    lists.map(({ size, match }) => [`${size} hashed URIs`, () => countMatches(match)]),
  ),
  inputs: [null],
  items: CANDIDATES,
  rounds: ROUNDS,
});
assert.equal(timings[0].results[0], CANDIDATES / 10);
printTimings("match", "candidate", timings);
