import { oddsText } from "@x/explain";
import { counted } from "@x/explain/counted";
import { printableJson } from "@x/explain/printable";
import type { Format } from "./format.ts";
import type { Block } from "./results.ts";

/** Counts results for `check --stats`. */
export interface Statistics {
  readonly add: (block: Block) => void;
  /**
   * Formats the counts as a few readable lines or, unless the format is `"text"`, as one line of JSON.
   *
   * @param chance the share of harmless URLs that match by chance.
   */
  readonly toText: (format: Format, workers: number, chance: number) => string;
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
    toText(format, workers, chance) {
      const seconds = (performance.now() - start) / 1000;
      const perSecond = Math.round(urls / seconds);
      if (format !== "text") {
        const chanceOfFalseMatch = chance;
        const record = { urls, listed, notUrls, seconds, perSecond, workers, chanceOfFalseMatch };
        return `${printableJson(record)}\n`;
      }
      const number = (value: number): string => value.toLocaleString("en").padStart(14);
      const threads = counted(workers, "thread", "threads");
      return [
        `checked    ${number(urls - notUrls)}`,
        `listed     ${number(listed)}`,
        `not a URL  ${number(notUrls)}`,
        `time       ${seconds.toFixed(1).padStart(14)} s, ${threads}`,
        `speed      ${number(perSecond)} per second`,
        `odds       ${oddsText(chance)}`,
        "",
      ].join("\n");
    },
  };
}
