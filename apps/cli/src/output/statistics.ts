import { printableJson } from "@x/explain/printable";
import type { Format } from "./format.ts";
import type { Block } from "./results.ts";

/** Counts for `check --stats`. */
export interface Statistics {
  readonly add: (block: Block) => void;
  /** Lines for people, or one line of JSON. */
  readonly toText: (format: Format, workers: number) => string;
}

export function statistics(): Statistics {
  const start = performance.now();
  let [urls, listed, notUrls] = [0, 0, 0];
  return {
    add(block) {
      urls += block.inputs;
      listed += block.listed;
      notUrls += block.refused;
    },
    toText(format, workers) {
      const seconds = (performance.now() - start) / 1000;
      const perSecond = Math.round(urls / seconds);
      if (format !== "text") {
        return `${printableJson({ urls, listed, notUrls, seconds, perSecond, workers })}\n`;
      }
      const number = (value: number): string => value.toLocaleString("en").padStart(14);
      const threads = workers === 1 ? "1 thread" : `${workers} threads`;
      return [
        `checked    ${number(urls - notUrls)}`,
        `listed     ${number(listed)}`,
        `not a URL  ${number(notUrls)}`,
        `time       ${seconds.toFixed(1).padStart(14)} s, ${threads}`,
        `speed      ${number(perSecond)} URLs a second`,
        "",
      ].join("\n");
    },
  };
}
