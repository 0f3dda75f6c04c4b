import { counted, formatCount } from "@x/explain/counted";
import {
  CLIENTS,
  type ClientKind,
  type ClientReport,
  clientTitle,
  type EntryReport,
  reportEntry,
} from "@x/interop";
import { registrableDomain } from "./exceptions.ts";
import type { SourceReading } from "./read-sources.ts";

/** Reports which clients will block the entries of a list. */
export interface EntryReporter {
  /** Adds an entry with its text in the source, and returns the lines to print. */
  add(source: string, line: number, text: string): string[];
  /** The lines to print when all entries have been added. */
  summary(list: string, sources: readonly ReadingOfSource[]): string[];
}

/** How a source was read. If it could not be read, only `source` is set. */
export type ReadingOfSource = { readonly source: string } & Partial<SourceReading>;

/** For each client, the number of entries by how the client blocks them. */
type Counts = Record<ClientKind, Record<ClientReport["blocks"], number>>;

function countReports(): { counts: Counts; add(report: EntryReport): void } {
  const counts = Object.fromEntries(
    CLIENTS.map((client) => [client, { entry: 0, variant: 0, no: 0 }]),
  ) as Counts;
  return {
    counts,
    add({ clients }) {
      for (const { client, blocks } of clients) counts[client][blocks]++;
    },
  };
}

const INDENT = "  ";
const WIDTH = Math.max(...CLIENTS.map((client) => client.length)) + 2;
/** How many entries the report names for each reason. */
const EXAMPLES = 3;

/** Entries that a client fails to block for the same reason, or variants that are not published. */
interface Group {
  /** The position of the client. Variants come last. */
  readonly order: number;
  readonly title: string;
  count: number;
  readonly examples: string[];
}

const byClient = (a: Group, b: Group) => a.order - b.order;

/** A report for people. Entries are grouped by problem, so that the report stays short even for long lists. */
export function textReporter(): EntryReporter {
  const { counts, add } = countReports();
  const groups = new Map<string, Group>();
  let entries = 0;
  let blockedByAll = 0;

  function addTo(key: string, order: number, title: string, example: string): void {
    const group: Group = groups.get(key) ?? { order, title, count: 0, examples: [] };
    groups.set(key, group);
    group.count++;
    if (group.examples.length < EXAMPLES) group.examples.push(example);
  }

  return {
    add(source, line, text) {
      const report = reportEntry(text, { registrableDomain });
      const { expression, clients, variants } = report;
      add(report);
      entries++;
      const where = `${source}:${line}: ${expression}`;
      if (clients.every(({ blocks }) => blocks === "entry")) blockedByAll++;
      for (const { client, blocks, code, reason } of clients) {
        if (code === null) continue;
        const remedy = blocks === "variant" ? "only with --interop" : "never";
        const order = CLIENTS.indexOf(client);
        addTo(`${client} ${blocks} ${code}`, order, `${client}, ${remedy}`, `${where}: ${reason}`);
      }
      for (const variant of variants) {
        if (variant.isSafe) continue;
        const title = "variants that are never published, because they would block other URLs";
        addTo("unsafe", CLIENTS.length, title, `${where}: ${variant.text}`);
      }
      return [];
    },
    summary: (list) => [
      `${list}: ${counted(entries, "entry", "entries")}, of which all clients block ${formatCount(blockedByAll)}`,
      ...[...groups.values()]
        .sort(byClient)
        .flatMap(({ title, count, examples }) => [
          `${INDENT}${title}: ${formatCount(count)}`,
          ...examples.map((example) => INDENT + INDENT + example),
          ...(count > examples.length
            ? [`${INDENT}${INDENT}and ${formatCount(count - examples.length)} more`]
            : []),
        ]),
      `${INDENT}${"blocked by".padEnd(WIDTH)}${"the entry".padStart(12)}${"--interop".padStart(12)}${"never".padStart(12)}`,
      ...CLIENTS.map((client) => {
        const { entry, variant, no } = counts[client];
        const columns = [entry, variant, no]
          .map((count) => formatCount(count).padStart(12))
          .join("");
        return `${INDENT}${client.padEnd(WIDTH)}${columns}${INDENT}${clientTitle(client)}`;
      }),
    ],
  };
}

/** A report for programs: every entry, as one JSON object per line. */
export function jsonReporter(): EntryReporter {
  const { counts, add } = countReports();
  let entries = 0;
  return {
    add(source, line, text) {
      const report = reportEntry(text, { registrableDomain });
      add(report);
      entries++;
      return [JSON.stringify({ source, line, ...report })];
    },
    summary: (list, sources) => [JSON.stringify({ list, entries, clients: counts, sources })],
  };
}
