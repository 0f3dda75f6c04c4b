#!/usr/bin/env node
import process from "node:process";
import { main } from "../dist/cli/main.js";

// Without a handler for SIGUSR1, Node would open a port for a debugger.
process.on("SIGUSR1", () => {});

process.exitCode = await main(process.argv.slice(2), process);
