import { DAY, pick, randomNumbers, simulatePolls } from "./polls.js";
import { ageCounts, FORMS, NEW, wayThrough } from "./ways.js";

/** The time between two points of the plot, in seconds. */
const HOUR = 3600;

/**
 * Returns the costs of an answer, by the age of the client's version: the bytes on the wire, the server's processor
 * time in seconds, and whether the answer is a full update. Clients get the whole list if their version is older than
 * the window, or if the differences take more bytes.
 */
export function costsOf(measured, window, versions) {
  const bytes = new Float64Array(versions + 2);
  const processor = new Float64Array(versions + 2);
  const isFull = new Uint8Array(versions + 2);
  for (let age = NEW; age <= versions; age++) {
    const i = age + 1;
    isFull[i] = age === NEW || age > window || measured.partial(age) > measured.full ? 1 : 0;
    bytes[i] = isFull[i] ? measured.full : age === 0 ? measured.none : measured.partial(age);
    processor[i] = measured.processor(bytes[i]);
  }
  return { bytes, processor, isFull };
}

const emptySums = (ticks, hours) => ({
  requests: 0,
  hits: 0,
  full: 0,
  bytes: 0,
  fullBytes: 0,
  originRequests: 0,
  originBytes: 0,
  processor: 0,
  /** How many distinct differences the server made. */
  made: 0,
  peak: { requests: 0, bytes: 0, originRequests: 0, originBytes: 0, processor: 0 },
  hourly: Array.from({ length: hours }, () => ({ requests: 0, originRequests: 0 })),
  ticks,
});

/**
 * Simulates a fleet, and sums up the costs of each scenario for each way. {@link costsOf} returns these costs.
 * Only the last `days` are counted.
 *
 * @param {readonly number[]} ways
 * @param {readonly { costs: ReturnType<typeof costsOf> }[]} scenarios
 */
export function simulateFleet(fleet, ways, scenarios) {
  const { clients, days, warmUp, interval, maxAge, seed = 1 } = fleet;
  const versions = ((warmUp + days) * DAY) / interval;
  const random = randomNumbers(seed + 1);
  const forms = Uint8Array.from({ length: clients }, () => pick(FORMS, random()));
  const placesOf = Uint16Array.from({ length: clients }, () => Math.floor(random() * 2 ** 16));
  const facts = {
    ...{ clients, versions, maxAge },
    formOf: (client) => forms[client],
    placeOf: (client) => placesOf[client],
  };
  const begin = warmUp * DAY;
  const ticks = (days * DAY) / interval;
  const followed = ways.map((places) => ({
    way: wayThrough(places, facts),
    counts: ageCounts(versions),
    sums: scenarios.map(() => emptySums(ticks, days * 24)),
  }));

  /** Adds what was counted during one version to the sums. */
  function endTick(time) {
    const hour = Math.floor((time - 1 - begin) / HOUR);
    for (const { counts, sums } of followed) {
      const now = scenarios.map(() => ({
        ...{ requests: 0, bytes: 0, originRequests: 0, originBytes: 0, processor: 0 },
      }));
      counts.drain((age, hits, misses) => {
        if (time <= begin) return;
        const both = hits + misses;
        for (let i = 0; i < scenarios.length; i++) {
          const { bytes, processor, isFull } = scenarios[i].costs;
          const [size, sum, tick] = [bytes[age + 1], sums[i], now[i]];
          tick.requests += both;
          tick.bytes += both * size;
          tick.originRequests += misses;
          tick.originBytes += misses * size;
          tick.processor += misses * processor[age + 1];
          sum.hits += hits;
          if (isFull[age + 1]) {
            sum.full += both;
            sum.fullBytes += both * size;
          } else if (age > 0 && misses > 0) sum.made++;
        }
      });
      if (time <= begin) continue;
      for (const [i, tick] of now.entries()) {
        const sum = sums[i];
        for (const name of Object.keys(tick)) {
          sum[name] += tick[name];
          sum.peak[name] = Math.max(sum.peak[name], tick[name] / interval);
        }
        sum.hourly[hour].requests += tick.requests;
        sum.hourly[hour].originRequests += tick.originRequests;
      }
    }
  }

  let newest = 0;
  simulatePolls(fleet, {
    onSecond(time) {
      if (time % interval !== 0) return;
      if (time > 0) endTick(time);
      newest = time / interval;
    },
    onPoll(client, time) {
      for (const { way, counts } of followed) {
        counts.add(way.ask(client, time, newest), way.isHit);
      }
    },
  });
  endTick((warmUp + days) * DAY);
  return followed.map(({ sums }) => sums);
}
