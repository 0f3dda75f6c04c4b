import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readManifest, trackedFiles } from "./repository.ts";

const tracked = trackedFiles();
const documents = tracked.filter((file) => file.endsWith(".md") && !file.startsWith(".changeset/"));

const anchorOf = (heading: string) =>
  heading
    .replace(/`/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function anchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map((heading) => anchorOf(heading[1]!));
}

test("every row of a table about faults names tests that exist", () => {
  const cellsOf = (row: string) => row.split("|").map((cell) => cell.trim());
  const pages = tracked.filter((file) => /^docs\/[^/]+\.md$/.test(file));
  const lines = pages.flatMap((page) => readFileSync(join(ROOT, page), "utf8").split("\n"));
  let isAboutTests = false;
  let rows = 0;
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith("|")) {
      isAboutTests = false;
      continue;
    }
    const last = cellsOf(line).at(-2)!;
    if (lines[i + 1]?.startsWith("| -")) isAboutTests = /^test/.test(last);
    else if (isAboutTests && !line.startsWith("| -")) {
      rows++;
      const named = [...last.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!);
      if (last !== "–") expect(named, line).not.toEqual([]);
      for (const name of named) {
        const isThere = tracked.some((file) => `/${file}/`.includes(`/${name}/`));
        expect(isThere, name).toBe(true);
      }
    }
  }
  expect(rows).toBeGreaterThan(30);
});

test.each(documents)("every link of %s resolves", (document) => {
  const text = readFileSync(join(ROOT, document), "utf8");
  const prose = text
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[()[\]]/g, ""));
  for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target!)) continue;
    const [path, anchor] = target!.split("#");
    const file = path === "" ? document : join(dirname(document), path!);
    expect(existsSync(join(ROOT, file)), `${document}: ${target}`).toBe(true);
    if (anchor) {
      // On the site, hyphens are joined in anchors.
      expect(anchor, `${document}: ${target}`).not.toContain("--");
      expect(anchors(readFileSync(join(ROOT, file), "utf8")), `${document}: ${target}`).toContain(
        anchor,
      );
    }
  }
});

test("every package has its documents", () => {
  const packages = tracked.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file));
  for (const file of packages) expect(documents).toContain(join(dirname(file), "README.md"));
});

test("every README of a package says how to install it in one place", () => {
  const published = documents.filter((file) => {
    const [, folder] = /^((?:packages|apps)\/[^/]+)\/README\.md$/.exec(file) ?? [];
    return folder !== undefined && readManifest(join(ROOT, folder)).private !== true;
  });
  expect(published.length).toBeGreaterThan(10);
  for (const file of published) {
    const [, install] = /^## Install$([\s\S]*?)^## /m.exec(readFileSync(join(ROOT, file), "utf8"))!;
    expect(install, file).toContain("(../../docs/install.md)");
    expect(install, file).not.toMatch(/need the files?|\.tgz/);
    if (file.startsWith("packages/")) expect(install, file).toMatch(/TypeScript\s5\.7\sor\snewer/);
  }
});
