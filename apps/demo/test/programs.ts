import { fileURLToPath } from "node:url";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The program of `npm start`. */
export const START: string = path("../bin/start.js");

/** The command `urlhash`. */
export const URLHASH: string = path("../../cli/bin/urlhash.js");
