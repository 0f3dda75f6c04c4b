/** The packages, each with the packages below it that it may use. */
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
  explain: [
    "canon",
    "urn",
    "sha256-prefix",
    "expressions",
    "prefix-list",
    "hashed-uri",
    "lookup",
    "links",
  ],
  "command-line": ["client", "explain", "links", "list-store"],
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

/** The packages that are not published. The apps have their code in their own files. */
export const PRIVATE: readonly string[] = ["explain", "command-line"];

/** The published packages. */
export const PUBLISHED: readonly string[] = Object.keys(LAYERS).filter(
  (name) => !PRIVATE.includes(name),
);

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
    "links",
    "client",
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
    "links",
    "wire",
    "client",
  ],
};

/** The folder of a package or of a published app, as a path from the root. */
export function folderOf(name: string): string {
  return `${name in PUBLISHED_APPS ? "apps" : "packages"}/${name}`;
}

/** The packages that installing a package brings: itself and everything below it. */
export function withLayersBelow(name: string): string[] {
  const below = (LAYERS[name] ?? PUBLISHED_APPS[name])!.flatMap(withLayersBelow);
  return [...new Set([...below, name])];
}
