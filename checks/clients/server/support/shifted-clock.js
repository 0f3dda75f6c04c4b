import { readFileSync } from "node:fs";
import process from "node:process";

// For `node --import`: puts the clock ahead by the milliseconds in a file. The file may change.
const now = Date.now;
Date.now = () => now() + Number(readFileSync(process.env.CLOCK_SHIFT, "utf8"));
