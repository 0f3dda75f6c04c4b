// A process without work. How late its timers are is due to other work of the machine.
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on("message", () => {
  process.send({ longestDelay: delays.max / 1e6 });
  delays.reset();
});
process.on("disconnect", () => process.exit());
