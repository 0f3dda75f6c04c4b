#!/usr/bin/env node
import { start } from "../dist/start/start.js";

/** The maximum time to wait at the end for all output to be read, in milliseconds. */
const MAX_WAIT = 1000;

process.exitCode = await start(process.argv.slice(2), process);
// Otherwise, a reader that stopped reading would keep the process alive.
setTimeout(() => process.exit(), MAX_WAIT).unref();
