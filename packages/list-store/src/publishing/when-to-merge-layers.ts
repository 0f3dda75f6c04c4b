/*
 * Decides when layers of changes are merged, so that there are only a few, and when a version is stored completely
 * again.
 */

/** The number of layers of one level that are merged into one of the next. */
const MERGED = 8;
/**
 * A list with at most this many entries takes about as much room as the index of its layers, so it is always stored
 * completely.
 */
const ALWAYS_WHOLE = 2 ** 9;

/**
 * Whether a list becomes a new base because its layers would have changed more than half of its `items`, or because it
 * is short.
 */
export function needsBase(entries: number, items: number, changes: readonly number[]): boolean {
  return entries <= ALWAYS_WHOLE || 2 * changes.reduce((sum, count) => sum + count, 0) > items;
}

interface Leveled {
  readonly level: number;
}

/**
 * Puts a new layer on top of others. When this makes eight layers of one level, they are merged into one of the next
 * level, and so on.
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
