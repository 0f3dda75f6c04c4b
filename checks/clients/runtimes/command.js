import { tryParts } from "./program.js";

console.log(JSON.stringify(await tryParts(process.argv[2], undefined)));
