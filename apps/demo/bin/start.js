#!/usr/bin/env node
import { start } from "../dist/start/start.js";

process.exitCode = await start(process.argv.slice(2), process);
