import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@x/test-support/spawn";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";

const DEMO = fileURLToPath(new URL("../../", import.meta.url));
const VITE = fileURLToPath(new URL("../../bin/vite.js", import.meta.resolve("vite")));

const { path } = temporaryFolder();

test("the page comes with the licenses of all libraries that its source maps name", async () => {
  const out = path("page");
  const options = ["--sourcemap", "--outDir", out, "--emptyOutDir", "--logLevel", "error"];
  const { status } = await runProgram(
    VITE,
    ["build", "--config", join(DEMO, "vite.config.ts"), ...options],
    // In the `NODE_ENV` of tests, some libraries have more parts.
    { env: { NODE_ENV: "production" } },
  );
  expect(status).toBe(0);
  const named = new Set<string>();
  for (const file of await readdir(join(out, "assets"))) {
    if (!file.endsWith(".js.map")) continue;
    const { sources } = JSON.parse(await readFile(join(out, "assets", file), "utf8")) as {
      readonly sources: readonly string[];
    };
    for (const source of sources) {
      const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
      if (name !== undefined) named.add(name);
    }
  }
  // Some of these libraries are only in a worker.
  for (const name of ["preact", "tldts", "parse5", "micromark"]) {
    expect([...named]).toContain(name);
  }
  const text = await readFile(join(DEMO, "dist/web/licenses.txt"), "utf8");
  const listed = [...text.matchAll(/^## (\S+) \d/gm)].map(([, name]) => name!);
  const others = ["mono", "next"].map(
    (font) => `@fontsource-variable/atkinson-hyperlegible-${font}`,
  );
  expect(listed).toEqual([...named, ...others, "eth-phishing-detect"].sort());
  for (const words of [
    "SIL Open Font License",
    "Apache License",
    "Copyright (c) 2015-present Jason Miller",
  ]) {
    expect(text).toContain(words);
  }
});
