import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiffUpdater } from "@adguard/diff-builder/diff-updater/es";
import { DiffBuilder } from "@adguard/diff-builder/es";
import { staticHost } from "./counted-server.js";
import { hourlyVersions } from "./hosts.js";
import { newTotals, totalsOf, updateAll } from "./readers.js";

const HOUR = 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);
const LINE = "0.0.0.0 ";
const HEADER = "# A list of hosts\n";

const textOf = (hosts) => HEADER + hosts.map((host) => `${LINE}${host}\n`).join("");

export function hostsIn(text) {
  const lines = text.split("\n").filter((line) => line.startsWith(LINE));
  return lines.map((line) => line.slice(LINE.length));
}

async function fetchText(url, headers = {}) {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok && response.status !== 304) throw new Error(`${response.status} for ${url}`);
  return { text, etag: response.headers.get("ETag"), isNew: response.ok };
}

/** Measures a plain hosts file, sent with gzip and requested with `If-None-Match`. */
export async function measurePlainFile(scenario) {
  let file = Buffer.alloc(0);
  const host = await staticHost(() => file, { isCompressed: true });
  const url = `${host.origin}/hosts.txt`;
  const update = async (state) => {
    const headers = state === undefined ? {} : { "If-None-Match": state.etag };
    const answer = await fetchText(url, headers);
    return answer.isNew ? answer : state;
  };
  const readers = newTotals(scenario.intervals);
  let hour = 0;
  for (const hosts of hourlyVersions(scenario)) {
    file = Buffer.from(textOf(hosts));
    if (hour === 0) for (const reader of readers) reader.state = await update();
    else await updateAll(readers, hour, host.count, update);
    hour++;
  }
  const totals = totalsOf(readers);
  const first = await host.count(() => update());
  const idle = await host.count(() => update(readers[0].state));
  host.close();
  return {
    totals,
    idle: { bytes: idle.bytes, requests: idle.requests },
    whole: first.bytes,
    hosts: readers.map(({ state }) => hostsIn(state.text)),
  };
}

/** Runs a task while `Date` shows another time in this thread. */
async function at(time, task) {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(...values) {
      super(...(values.length === 0 ? [time] : values));
    }
    static now() {
      return time;
    }
  };
  try {
    return await task();
  } finally {
    globalThis.Date = RealDate;
  }
}

/**
 * Measures the patches that AdGuard's `DiffBuilder` makes for `Diff-Path` and its `DiffUpdater` applies. Patches are
 * kept for a week, which is the default of the builder. Readers without a patch download the whole file.
 */
export async function measurePatches(scenario) {
  const folder = await mkdtemp(join(tmpdir(), "patches-"));
  const [newFilterPath, oldFilterPath] = [join(folder, "filter.txt"), join(folder, "old.txt")];
  const patchesPath = join(folder, "patches");
  const files = new Map();
  const host = await staticHost(
    async (path) => {
      const bytes = files.get(path) ?? (await readFile(join(folder, path)).catch(() => null));
      if (bytes !== null) files.set(path, bytes);
      return bytes;
    },
    { isCompressed: true },
  );
  const url = `${host.origin}/filter.txt`;
  const update = async (state) => {
    const text = await DiffUpdater.applyPatch({ filterUrl: url, filterContent: state });
    return text === state ? (await fetchText(url)).text : text;
  };
  const readers = newTotals(scenario.intervals);
  await writeFile(newFilterPath, `${HEADER}${LINE}example.org\n`);
  let hour = 0;
  let last;
  for (const hosts of hourlyVersions(scenario)) {
    await rename(newFilterPath, oldFilterPath);
    await writeFile(newFilterPath, textOf(hosts));
    const build = { oldFilterPath, newFilterPath, patchesPath, name: "list", time: 1 };
    await at(START + hour * HOUR, () => DiffBuilder.buildDiff(build));
    files.clear();
    last = await readFile(newFilterPath, "utf8");
    if (!last.startsWith("! Diff-Path: ")) throw new Error("no patch was made");
    if (hour === 0) for (const reader of readers) reader.state = last;
    else {
      // Readers wait until the version that they have expires.
      const soon = START + hour * HOUR + HOUR / 6;
      await at(soon, () => updateAll(readers, hour, host.count, update));
    }
    hour++;
  }
  const totals = totalsOf(readers);
  const later = START + (hour + 1) * HOUR;
  const ask = () => DiffUpdater.applyPatch({ filterUrl: url, filterContent: last });
  const idle = await at(later, () => host.count(ask));
  const first = await host.count(() => fetchText(url));
  host.close();
  await rm(folder, { recursive: true });
  return {
    totals,
    idle: { bytes: idle.bytes, requests: idle.requests },
    whole: first.bytes,
    hosts: readers.map(({ state }) => hostsIn(state)),
  };
}
