/* Simulates whether a cache or the server answers a request for an update. Only version numbers are followed. */

/** The shares of clients that write the request for the same update differently: two browsers, and other programs. */
export const FORMS = [0.6, 0.3, 0.1];
/** The age of a client that has no version. */
export const NEW = -1;

/**
 * Makes a way from the clients to the server, through caches in this many places, or through no cache if `places` is 0.
 * A cache distinguishes requests by their form and the version of the client, and keeps answers for `maxAge` seconds.
 *
 * `ask` returns how many versions the client was behind, or `NEW` if it had none, and `isHit` says whether a cache
 * answered.
 */
export function wayThrough(places, { clients, versions, maxAge, formOf, placeOf }) {
  const held = new Int32Array(clients).fill(-1);
  const paths = (versions + 1) * FORMS.length;
  const expires = new Int32Array(places * paths);
  const stored = new Int32Array(places * paths);
  const way = { places, isHit: false, ask };
  function ask(client, time, newest) {
    const from = held[client];
    let to = newest;
    way.isHit = false;
    if (places > 0) {
      const path = (placeOf(client) % places) * paths + formOf(client) * (versions + 1) + from + 1;
      if (time < expires[path]) {
        to = stored[path];
        way.isHit = true;
      } else {
        expires[path] = time + maxAge;
        stored[path] = to;
      }
    }
    held[client] = to;
    return from < 0 ? NEW : to - from;
  }
  return way;
}

/** Counts the requests that a cache and the server answer during one version, by the age of the client's version. */
export function ageCounts(versions) {
  const hits = new Uint32Array(versions + 2);
  const misses = new Uint32Array(versions + 2);
  /** The ages with at least one request. */
  let ages = [];
  return {
    add(age, isHit) {
      if (hits[age + 1] === 0 && misses[age + 1] === 0) ages.push(age);
      (isHit ? hits : misses)[age + 1]++;
    },
    /** Calls `callback` with each age and its counts, and resets the counts. */
    drain(callback) {
      for (const age of ages) {
        callback(age, hits[age + 1], misses[age + 1]);
        hits[age + 1] = 0;
        misses[age + 1] = 0;
      }
      ages = [];
    },
  };
}
