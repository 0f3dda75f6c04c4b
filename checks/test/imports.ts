const IMPORT = /\bfrom\s+"([^"]+)"|\bimport\s*\(\s*"([^"]+)"|^import\s+"([^"]+)"/gm;

/** What a source file imports, without the examples in its doc comments: they import the package itself. */
export function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...code.matchAll(IMPORT)].map((found) => found[1] ?? found[2] ?? found[3]!);
}
