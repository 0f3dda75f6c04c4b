import { readFileSync } from "node:fs";
import process from "node:process";

// For `node --import`: the clock is ahead by the milliseconds in a file that can be changed.
const now = Date.now;
Date.now = () => now() + Number(readFileSync(process.env.CLOCK_SHIFT, "utf8"));
