/** A map that drops the least recently used values. */
export interface RecentlyUsed<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Makes a map whose values have a total size of at most `most`. A single larger value is kept until the next one is
 * added.
 */
export function recentlyUsed<Key, Value>(
  most: number,
  sizeOf: (value: Value) => number,
): RecentlyUsed<Key, Value> {
  /** The values, the most recently used last. */
  const values = new Map<Key, Value>();
  let size = 0;

  function drop(key: Key): void {
    if (values.has(key)) size -= sizeOf(values.get(key)!);
    values.delete(key);
  }

  function set(key: Key, value: Value): void {
    drop(key);
    values.set(key, value);
    size += sizeOf(value);
    for (const oldest of values.keys()) {
      if (size <= most || oldest === key) break;
      drop(oldest);
    }
  }

  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return value;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set,
  };
}
