import { printable } from "@x/explain/printable";
import type { LogDestination } from "./log.ts";

/** Levels by their numbers in the log. */
const LEVELS: Readonly<Record<number, string>> = {
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
};
const WIDTH = 5;

/**
 * Returns a destination that writes lines of a JSON log as text for people: the time, the level, the message and the
 * other members, as in `2026-11-29 15:20:25Z info  request method=GET status=200`.
 */
export function logText(destination: LogDestination): LogDestination {
  return {
    write(text) {
      const lines = text.split("\n").map((line) => (line === "" ? "" : textOf(line)));
      destination.write(lines.join("\n"));
    },
  };
}

function textOf(line: string): string {
  const { level, time, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const at = `${String(time).slice(0, 19).replace("T", " ")}Z`;
  const members = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${wordOf(value)}`);
  const name = (LEVELS[level as number] ?? String(level)).padEnd(WIDTH);
  return printable([at, name, String(msg), ...members].join(" "));
}

/** A value without spaces; a longer one is in quotation marks. */
function wordOf(value: unknown): string {
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
