/*
 * When layers of changes are merged, so that there are only a few, and when everything is stored completely again.
 * The same rule holds for full hashes and for the names of hosts.
 */

/** How many layers of one level are merged into one of the next. */
const MERGED = 8;
/** A list of no more entries takes about as much room as the index of its layers, so it is always stored completely. */
const ALWAYS_WHOLE = 2 ** 9;

/** Whether a list of so many entries becomes a new base: its layers would have changed half of its `items`. */
export function needsBase(entries: number, items: number, changes: readonly number[]): boolean {
  return entries <= ALWAYS_WHOLE || 2 * changes.reduce((sum, count) => sum + count, 0) > items;
}

interface Leveled {
  readonly level: number;
}

/**
 * Layers with a new one on top. When there are enough of one level, they are merged with it into one of the next level,
 * and so on.
 *
 * @param merge joins the new layer with the older ones below it.
 */
export async function stacked<Layer extends Leveled, Fresh extends Leveled>(
  layers: readonly Layer[],
  last: Fresh,
  merge: (older: readonly Layer[], last: Fresh) => Promise<Fresh>,
  write: (last: Fresh) => Promise<Layer>,
): Promise<Layer[]> {
  const start = layers.length - (MERGED - 1);
  if (start < 0 || layers[start]!.level !== last.level) return [...layers, await write(last)];
  const merged = { ...(await merge(layers.slice(start), last)), level: last.level + 1 };
  return stacked(layers.slice(0, start), merged, merge, write);
}
