import { isIP } from "node:net";

// Second implementations of three formats, written as plainly as possible: whole texts, no streams, no fast paths.
// These implementations do not check whether a name or URL can be an entry.

/** The entries, refusals and parts that do not apply in a text. */
export type Meaning = readonly (readonly ["entry" | "refused" | "not-applicable", string])[];

const LOCAL = /^(?:localhost|localhost\.localdomain|local|broadcasthost|ip6-[a-z]+)$/;
const NULL_ADDRESSES = ["0.0.0.0", "127.0.0.1", "::", "::1"];

export function hostsOracle(text: string): Meaning {
  const meaning: (readonly ["entry" | "refused" | "not-applicable", string])[] = [];
  for (const line of text.split("\n")) {
    const words = line
      .replace(/#.*/, "")
      .split(/[ \t]/)
      .filter((word) => word !== "");
    if (words.length === 0) continue;
    const [address, ...names] = words as [string, ...string[]];
    if (isIP(address) === 0) meaning.push(["refused", "address-missing"]);
    else if (names.length === 0) meaning.push(["refused", "name-missing"]);
    else {
      for (const name of names) {
        if (LOCAL.test(name)) continue;
        if (NULL_ADDRESSES.includes(address)) meaning.push(["entry", name]);
        else meaning.push(["refused", "address-not-blocking"]);
      }
    }
  }
  return meaning;
}

/** A record of a table, on the lines from `first` to `last`, with its fields or the reason why it has none. */
export interface CsvRecord {
  readonly fields: readonly string[];
  readonly error: "quote-stray" | "quote-unclosed" | null;
  readonly first: number;
  readonly last: number;
}

/** Reads CSV records character by character. Blank lines between records are skipped. */
export function csvOracle(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let i = 0;
  let line = 1;
  const endLine = () => {
    while (i < text.length && text[i] !== "\n") i++;
    i++;
    line++;
  };
  while (i < text.length) {
    const first = line;
    if (/^[ \t]*(?:\n|$)/.test(text.slice(i))) {
      endLine();
      continue;
    }
    const fields: string[] = [];
    for (;;) {
      let field = "";
      while (text[i] === " ") i++;
      if (text[i] === '"') {
        i++;
        for (;;) {
          if (i >= text.length) {
            // The last line break ends the last line and does not start another.
            const last = text.endsWith("\n") ? line - 1 : line;
            records.push({ fields: [], error: "quote-unclosed", first, last });
            return records;
          }
          if (text[i] === '"' && text[i + 1] === '"') {
            field += '"';
            i += 2;
          } else if (text[i] === '"') {
            i++;
            break;
          } else {
            if (text[i] === "\n") line++;
            field += text[i++];
          }
        }
        while (text[i] === " ") i++;
        if (i < text.length && text[i] !== "," && text[i] !== "\n") {
          records.push({ fields: [], error: "quote-stray", first, last: line });
          endLine();
          break;
        }
      } else {
        while (i < text.length && text[i] !== "," && text[i] !== "\n") field += text[i++];
      }
      fields.push(field.trim());
      if (text[i] === ",") {
        i++;
        continue;
      }
      records.push({ fields, error: null, first, last: line });
      i++;
      line++;
      break;
    }
  }
  return records;
}

/** Reads an Adblock rule whose pattern is plain. */
export function adblockOracle(rule: string): Meaning {
  const dollar = rule.lastIndexOf("$");
  const options = dollar < 0 ? [] : rule.slice(dollar + 1).split(",");
  const pattern = dollar < 0 ? rule : rule.slice(0, dollar);
  if (rule.startsWith("@@")) return [["refused", "exception"]];
  if (rule.includes("##")) return [["not-applicable", rule]];
  if (options.includes("badfilter")) return [["refused", "exception"]];
  let page: boolean | null = null;
  let applies = true;
  for (const option of options) {
    const name = option.split("=")[0]!;
    if (name === "document" || name === "all" || name === "doc") page = true;
    else if (name === "script" || name === "image" || name === "popup") page ??= false;
    else if (["~script", "~document"].includes(name)) page ??= false;
    else if (["third-party", "~third-party", "domain", "csp"].includes(name)) applies = false;
    else if (name !== "important") return [["refused", "option-unknown"]];
  }
  if (!applies || page === false) return [["not-applicable", rule]];
  const bare = pattern.replace(/^\|\|?/, "");
  if (/[*].*[^*]$/.test(bare)) return [["refused", "wildcard"]];
  if (bare.endsWith("^")) {
    const start = bare.slice(0, -1);
    // A separator after the slash does not match what is below the folder.
    if (start.endsWith("/")) return [["refused", "pattern"]];
    return start.includes("/")
      ? [
          ["entry", start],
          ["entry", `${start}/`],
        ]
      : [["entry", start]];
  }
  return [["entry", bare]];
}
