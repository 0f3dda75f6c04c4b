import { readFileSync } from "node:fs";

/** Replaces values in a text. All of them must occur in it. */
export function withValues(text, values) {
  let result = text;
  for (const [placeholder, value] of Object.entries(values)) {
    if (!result.includes(placeholder)) throw new Error(`the example has no ${placeholder}`);
    result = result.replaceAll(placeholder, value);
  }
  return result;
}

/** A file of docs/examples with other values. Each placeholder must occur in it. */
export function example(name, values = {}) {
  const file = new URL(`../../../../docs/examples/${name}`, import.meta.url);
  return withValues(readFileSync(file, "utf8"), values);
}
