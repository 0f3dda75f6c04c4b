import { domainToASCII } from "node:url";
import { expressions } from "../../../packages/expressions/dist/index.js";
import { listSourceReader } from "../../../packages/list-source/dist/index.js";

/** Reads a source, and returns its entries and what happened to its lines. */
function readLines(lines, format) {
  const entries = new Set();
  /** The lines that have an entry, and those of which something was refused. */
  const read = new Set();
  const refused = new Set();
  /** The texts that were refused. */
  const texts = [];
  const notApplicable = [];
  const reader = listSourceReader({
    format,
    onEntry({ line, expression }) {
      entries.add(expression);
      read.add(line - 1);
    },
    onRefusal({ line, lines: count, text }) {
      texts.push(text);
      for (let i = 0; i < count; i++) refused.add(line - 1 + i);
    },
    onNotApplicable: ({ text }) => notApplicable.push(text),
  });
  reader.push(Buffer.from(lines.join("")));
  reader.end();
  const refusedHosts = texts.flatMap(hostsIn);
  return {
    entries,
    refusedHosts,
    notApplicable,
    kept: lines.filter((_, i) => !refused.has(i) || read.has(i)),
  };
}

/** The hosts in a text, in lower case and in ASCII. */
function hostsIn(text) {
  return (text.match(/[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu) ?? [])
    .map((host) => domainToASCII(host))
    .filter((host) => /^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]*$/.test(host));
}

/** A label of no source. */
const CHILD = "q7x9";

function* suffixesOf(host) {
  for (let rest = host; rest.includes("."); rest = rest.slice(rest.indexOf(".") + 1)) yield rest;
}

/** Hosts in a source, and hosts above, below and beside them. */
function probesOf(lines) {
  const found = new Set();
  for (const host of hostsIn(lines.join(""))) {
    for (const each of suffixesOf(host)) {
      found.add(each);
      found.add(`${CHILD}.${each}`);
    }
    found.add(`www.${host}`).add(`not${host}`).add(`${host}.elsewhere.test`);
  }
  return [...found];
}

/**
 * Compares the entries of sources with the names that a program blocks, and returns the differences.
 *
 * The program gets the lines that were not refused. An entry covers all hosts below it, so a name counts as blocked if
 * the program blocks the name, a host above it, or any host below one of these. A name that does not apply must not be
 * listed unless the program blocks the name itself.
 */
export async function differences(sources, { format, program, zone = () => "" }) {
  const readings = sources.map((lines, i) => {
    const text = lines.map((line) => line.replaceAll("ZONE", zone(i)));
    const reading = readLines(text, format);
    return {
      ...reading,
      text,
      names: probesOf(lines.map((line) => line.replaceAll(/\S*ZONE/g, ""))),
    };
  });
  const found = await program(readings.map(({ kept, names }) => ({ text: kept.join(""), names })));
  const differing = [];
  let blockedNames = 0;
  let openNames = 0;
  for (const [i, reading] of readings.entries()) {
    const { entries, refusedHosts, notApplicable, kept, names, text } = reading;
    const blocked = found[i];
    const note = (name, what) => differing.push(`${name} ${what} in\n${text.join("")}`);
    if (blocked === null) {
      note("the program", `cannot read ${JSON.stringify(kept)}`);
      continue;
    }
    const isListed = (name) => expressions(`http://${name}/`).some((each) => entries.has(each));
    for (const name of names) {
      const isBlocked = [...suffixesOf(name)].some(
        (each) => blocked.has(each) || blocked.has(`${CHILD}.${each}`),
      );
      // Of a line with several names, some may be refused.
      const isRefused = [...suffixesOf(name)].some((each) => refusedHosts.includes(each));
      if (isBlocked && isRefused) continue;
      if (isBlocked !== isListed(name)) note(name, isBlocked ? "is not listed" : "is listed");
      if (isBlocked) blockedNames++;
      else openNames++;
    }
    for (const name of notApplicable.flatMap(hostsIn)) {
      if (isListed(name) && names.includes(name) && !blocked.has(name))
        note(name, "does not apply, but is listed");
    }
  }
  return { differing, blockedNames, openNames };
}
