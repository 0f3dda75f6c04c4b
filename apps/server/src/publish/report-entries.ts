import { CLIENTS, type Client, type ClientReport, clientTitle, reportEntry } from "@x/interop";
import { getDomain } from "tldts";

/** Says which clients will block each entry, and counts them. */
export interface EntryReporter {
  /** Takes an entry as its source has it, and returns the lines to print. */
  add(source: string, line: number, text: string): string[];
  /** The counts of all entries, as lines to print. */
  summary(list: string): string[];
}

/** What clients do with entries, as counts. */
type Counts = Record<Client, Record<ClientReport["blocks"], number>>;

const registrableDomain = (host: string) =>
  getDomain(host, { allowPrivateDomains: true, extractHostname: false });

function reporter(
  format: (source: string, line: number, report: ReturnType<typeof reportEntry>) => string[],
  total: (list: string, entries: number, counts: Counts) => string[],
): EntryReporter {
  let entries = 0;
  const counts = Object.fromEntries(
    CLIENTS.map((client) => [client, { entry: 0, variant: 0, no: 0 }]),
  ) as Counts;
  return {
    add(source, line, text) {
      const report = reportEntry(text, { registrableDomain });
      entries++;
      for (const { client, blocks } of report.clients) counts[client][blocks]++;
      return format(source, line, report);
    },
    summary: (list) => total(list, entries, counts),
  };
}

const INDENT = "  ";
const WIDTH = Math.max(...CLIENTS.map((client) => client.length)) + 2;

/** A report for people. */
export function textReporter(): EntryReporter {
  return reporter(
    (source, line, { expression, clients, variants }) => {
      const others = clients.filter(({ blocks }) => blocks !== "entry");
      const blocking = clients.filter(({ blocks }) => blocks === "entry");
      const who =
        others.length === 0 ? "all clients" : blocking.map(({ client }) => client).join(", ");
      const unsafe = variants.filter(({ isSafe }) => !isSafe);
      return [
        `${source}:${line}: ${expression} is blocked by ${who || "no client"}`,
        ...others.map(({ client, blocks, reason }) => {
          const remedy = blocks === "variant" ? " (blocked with --interop)" : "";
          return `${INDENT}not by ${client}: ${reason}${remedy}`;
        }),
        ...unsafe.map(
          ({ text }) => `${INDENT}never published, because it would block other URLs: ${text}`,
        ),
      ];
    },
    (list, entries, counts) => [
      `${list}: ${entries} ${entries === 1 ? "entry" : "entries"}, blocked by`,
      `${INDENT}${"".padEnd(WIDTH)}${"the entry".padStart(12)}${"--interop".padStart(12)}${"never".padStart(12)}`,
      ...CLIENTS.map((client) => {
        const { entry, variant, no } = counts[client];
        const columns = [entry, variant, no].map((count) => String(count).padStart(12)).join("");
        return `${INDENT}${client.padEnd(WIDTH)}${columns}${INDENT}${clientTitle(client)}`;
      }),
    ],
  );
}

/** A report for programs: one JSON object per line. */
export function jsonReporter(): EntryReporter {
  return reporter(
    (source, line, report) => [JSON.stringify({ source, line, ...report })],
    (list, entries, counts) => [JSON.stringify({ list, entries, clients: counts })],
  );
}
