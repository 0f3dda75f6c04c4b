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

/** Reads the number of megabytes that such a process wrote. */
export function memoryOf(stderr: string): number {
  return Number(/^memory ([\d.]+)$/m.exec(stderr)?.[1]);
}
