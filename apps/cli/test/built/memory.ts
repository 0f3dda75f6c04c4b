/** For Node: says at the end on stderr how much memory the process was seen to hold, in megabytes. */
export const MEASURE_MEMORY: readonly string[] = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    let most = 0;
    const look = () => { most = Math.max(most, process.memoryUsage.rss()); };
    setInterval(look, 10).unref();
    process.on("exit", () => { look(); console.error("memory", most / 1e6); });
  `)}`,
];

/** What it said. */
export function memoryOf(stderr: string): number {
  return Number(/^memory ([\d.]+)$/m.exec(stderr)?.[1]);
}
