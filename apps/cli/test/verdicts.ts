/** A record of `check --ndjson`. */
interface VerdictRecord {
  readonly line?: number;
  readonly row?: number;
  readonly url: string;
  readonly canonical?: string;
  readonly listed?: boolean | null;
  readonly reason?: string;
  readonly disguises?: readonly { readonly code: string }[];
  readonly matches: readonly {
    readonly list: string;
    readonly expression: string;
    readonly reading: string;
  }[];
  readonly error?: { readonly code: string };
}

/** The records that a command has written with `--ndjson`. */
export function recordsIn(stdout: string): VerdictRecord[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** The verdict in a record. What cannot be read as a URL is "undecided" or "not-a-url". */
export function verdictIn({ listed, disguises, error }: VerdictRecord): string {
  if (error !== undefined) return error.code === "host-undecided" ? "undecided" : "not-a-url";
  if (listed === null) return "unsure";
  return listed ? "listed" : disguises === undefined ? "not-listed" : "disguised";
}
