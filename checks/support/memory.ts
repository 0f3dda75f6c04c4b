/** Options for Node that make a process write its peak memory, in megabytes, to stderr when it ends. */
export const MEASURE_MEMORY: readonly string[] = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    let most = 0;
    const look = () => { most = Math.max(most, process.memoryUsage.rss()); };
    setInterval(look, 10).unref();
    process.on("exit", () => { look(); console.error("memory", most / 1e6); });
  `)}`,
];

/** Reads the number of megabytes that a process with the options in MEASURE_MEMORY wrote. */
export function memoryOf(stderr: string): number {
  return Number(/^memory ([\d.]+)$/m.exec(stderr)?.[1]);
}

/**
 * Options for Node that end a process when one of its threads keeps more strings and objects than this. Garbage does
 * not count, so the result does not depend on the time of its collection. Buffers do not count, either.
 */
export function heapOf(megabytes: number): readonly string[] {
  return [`--max-old-space-size=${megabytes}`, "--max-semi-space-size=1"];
}
