#!/usr/bin/env node
import { main } from "../dist/cli/main.js";

// A reader of the output, such as head, may leave before the end. The command goes on without it.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await main(process.argv.slice(2), process);
