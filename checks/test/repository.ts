import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository, with a slash at its end. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** The published packages, each with the packages below it that it may use. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  canon: [],
  urn: [],
  "sha256-prefix": [],
  ohttp: [],
  expressions: ["canon"],
  "prefix-list": ["sha256-prefix"],
  "hashed-uri": ["canon", "urn", "sha256-prefix"],
  links: ["canon"],
  wire: ["sha256-prefix", "prefix-list"],
  lookup: ["canon", "sha256-prefix", "expressions", "prefix-list"],
  "list-source": ["canon", "sha256-prefix", "expressions", "prefix-list"],
  "list-store": ["sha256-prefix", "prefix-list"],
  interop: ["canon", "expressions"],
  explain: ["canon", "urn", "sha256-prefix", "expressions", "prefix-list", "hashed-uri", "lookup"],
  "command-line": ["explain", "links", "list-store"],
  client: [
    "canon",
    "sha256-prefix",
    "expressions",
    "prefix-list",
    "lookup",
    "wire",
    "list-store",
    "ohttp",
  ],
  duckdb: ["canon", "urn", "sha256-prefix", "expressions", "lookup", "list-source"],
};

/** The apps that are published, each with the packages it depends on. */
export const PUBLISHED_APPS: Readonly<Record<string, readonly string[]>> = {
  cli: [
    "canon",
    "urn",
    "sha256-prefix",
    "prefix-list",
    "hashed-uri",
    "lookup",
    "list-source",
    "list-store",
    "explain",
    "links",
    "client",
    "command-line",
    "duckdb",
  ],
  server: [
    "canon",
    "expressions",
    "sha256-prefix",
    "prefix-list",
    "lookup",
    "list-source",
    "list-store",
    "ohttp",
    "interop",
    "explain",
    "links",
    "wire",
    "client",
    "command-line",
  ],
};

/** The folder of a published package or app, as a path from the root. */
export function folderOf(name: string): string {
  return `${name in PUBLISHED_APPS ? "apps" : "packages"}/${name}`;
}

/** The packages that installing a package brings: itself and everything below it. */
export function withLayersBelow(name: string): string[] {
  const below = (LAYERS[name] ?? PUBLISHED_APPS[name])!.flatMap(withLayersBelow);
  return [...new Set([...below, name])];
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly imports?: Readonly<Record<string, unknown>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** The source files of a package, as paths from its folder. */
export function sourceFiles(name: string): string[] {
  return readdirSync(join(ROOT, folderOf(name), "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join("src", file));
}
