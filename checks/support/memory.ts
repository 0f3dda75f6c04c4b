/** Options for Node. At its end, the process writes to stderr how many megabytes of memory it held at most. */
export const MEASURE_MEMORY: readonly string[] = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    let most = 0;
    const look = () => { most = Math.max(most, process.memoryUsage.rss()); };
    setInterval(look, 10).unref();
    process.on("exit", () => { look(); console.error("memory", most / 1e6); });
  `)}`,
];

/** The megabytes that such a process wrote. */
export function memoryOf(stderr: string): number {
  return Number(/^memory ([\d.]+)$/m.exec(stderr)?.[1]);
}
