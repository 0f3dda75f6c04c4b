import { applyListJob } from "@x/client";
import { results } from "./cases.js";

// A page sends jobs, or asks for the results of this worker.
addEventListener("message", async ({ data, ports: [port] }) => {
  port.postMessage(data.job === undefined ? await results(data.place) : applyListJob(data.job));
});
