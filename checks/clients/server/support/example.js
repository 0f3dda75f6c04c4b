import { readFileSync } from "node:fs";

/** A file of docs/examples with other values; each placeholder must be there. */
export function example(name, values) {
  let text = readFileSync(new URL(`../../../../docs/examples/${name}`, import.meta.url), "utf8");
  for (const [placeholder, value] of Object.entries(values)) {
    if (!text.includes(placeholder)) throw new Error(`${name} has no ${placeholder}`);
    text = text.replaceAll(placeholder, value);
  }
  return text;
}
