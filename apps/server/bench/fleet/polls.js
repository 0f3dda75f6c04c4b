/* Simulates when the clients of a fleet ask for updates. Times are in seconds, and the first day is a Monday. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The kinds of clients. A session begins around an hour of the day, and lasts for some hours. */
export const KINDS = [
  // Other servers, gateways, and machines that nobody switches off.
  { name: "always on", share: 0.2 },
  { name: "at work", share: 0.4, chance: [0.92, 0.05], start: [8.5, 1], length: [8.5, 1] },
  { name: "at home", share: 0.3, chance: [0.75, 0.85], start: [18.5, 3], length: [2.5, 2] },
  { name: "now and then", share: 0.1, chance: [0.12, 0.12], start: [15, 5], length: [1, 0.7] },
];
/** The share of clients in each time zone and the offset of the zone from the first one, in hours. */
const ZONES = [
  [0.6, 0],
  [0.25, 7],
  [0.15, -7],
];
/** The chance that a client's absence begins on a given day and the least and most days that it may last. */
const AWAY = { chance: 1 / 180, days: [7, 21] };
/** The longest random delay of an update, in seconds. */
const JITTER = MINUTE;
/** The longest random delay of the first request after a start, in seconds. */
const FIRST_DELAY = MINUTE;

/** Returns a generator of evenly distributed numbers in [0, 1), which are the same in every run. */
export function randomNumbers(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b9) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Returns the index of the share into which a number in [0, 1) falls. */
export function pick(shares, number) {
  let left = number;
  for (let i = 0; i < shares.length - 1; i++) {
    if (left < shares[i]) return i;
    left -= shares[i];
  }
  return shares.length - 1;
}

/**
 * Calls `onPoll(client, time)` for every request for an update, in the order of time, and `onSecond(time)` before the
 * requests of each second. A share of the clients, `growth`, is new in the last `days`. The others are there from the
 * start, which is `warmUp` days earlier.
 */
export function simulatePolls({ clients, days, warmUp, growth, wait, seed = 1 }, events) {
  const { onPoll, onSecond } = events;
  const random = randomNumbers(seed);
  const spread = ([mean, by]) => (mean + by * (random() + random() - 1)) * HOUR;
  const seconds = (warmUp + days) * DAY;
  const kinds = new Uint8Array(clients);
  const zones = new Uint8Array(clients);
  const sessionEnds = new Int32Array(clients);
  /** The clients that ask in each second, as linked lists: the first client, and the one after each client. */
  const first = new Int32Array(seconds).fill(-1);
  const next = new Int32Array(clients);
  const kindShares = KINDS.map(({ share }) => share);
  const zoneShares = ZONES.map(([share]) => share);

  function nextSession(client, after) {
    const kind = KINDS[kinds[client]];
    const zone = ZONES[zones[client]][1] * HOUR;
    for (let day = Math.floor((after + zone) / DAY); ; day++) {
      if (random() < AWAY.chance) {
        const [least, most] = AWAY.days;
        day += Math.floor(least + random() * (most - least));
      }
      if (day * DAY > seconds + DAY) return seconds;
      if (random() >= kind.chance[day % 7 < 5 ? 0 : 1]) continue;
      const start = Math.floor(day * DAY - zone + spread(kind.start));
      if (start < after) continue;
      sessionEnds[client] = start + Math.max(spread(kind.length), 10 * MINUTE);
      return start + Math.floor(random() * FIRST_DELAY);
    }
  }

  function askAt(client, time) {
    if (time >= seconds) return;
    next[client] = first[time];
    first[time] = client;
  }

  for (let client = 0; client < clients; client++) {
    kinds[client] = pick(kindShares, random());
    zones[client] = pick(zoneShares, random());
    const isNew = random() < growth;
    const from = isNew ? Math.floor((warmUp + random() * days) * DAY) : 0;
    if (KINDS[kinds[client]].chance === undefined) {
      sessionEnds[client] = seconds;
      askAt(client, from + Math.floor(random() * wait));
    } else if (isNew) {
      // A new client begins with a session, because somebody is there to install the program.
      sessionEnds[client] = from + HOUR;
      askAt(client, from);
    } else askAt(client, nextSession(client, from));
  }
  for (let time = 0; time < seconds; time++) {
    onSecond(time);
    for (let client = first[time]; client !== -1; ) {
      const following = next[client];
      onPoll(client, time);
      const later = time + wait + Math.floor(random() * JITTER);
      if (later < sessionEnds[client] || later >= seconds) askAt(client, later);
      else {
        // If a session begins before the client may ask, the client waits.
        askAt(client, Math.max(nextSession(client, sessionEnds[client]), later));
      }
      client = following;
    }
  }
}
