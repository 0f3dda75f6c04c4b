/** Makes empty totals, one for each interval between updates. */
export function newTotals(intervals) {
  return intervals.map((hours) => ({ hours, bytes: 0, requests: 0, updates: 0 }));
}

/** Updates each reader that is due at this hour. The state of a reader is the result of its last update. */
export async function updateAll(readers, hour, count, update) {
  for (const reader of readers) {
    if (hour % reader.hours !== 0) continue;
    const { result, bytes, requests = 1 } = await count(() => update(reader.state));
    reader.state = result;
    reader.bytes += bytes;
    reader.requests += requests;
    reader.updates++;
  }
}

/** The totals of the readers, without their states. */
export const totalsOf = (readers) =>
  readers.map(({ hours, bytes, requests, updates }) => ({ hours, bytes, requests, updates }));
