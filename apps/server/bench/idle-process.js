// A process without work. Its timers are late only because of other work on the machine.
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on("message", () => {
  process.send({ longestDelay: delays.max / 1e6 });
  delays.reset();
});
process.on("disconnect", () => process.exit());
