#!/usr/bin/env node
import { start } from "../dist/start/start.js";

/** How long output may wait for its reader at the end, in milliseconds. */
const MAX_WAIT = 1000;

process.exitCode = await start(process.argv.slice(2), process);
// Otherwise, a reader that stopped reading would keep the process.
setTimeout(() => process.exit(), MAX_WAIT).unref();
