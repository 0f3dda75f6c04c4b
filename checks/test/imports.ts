const IMPORT = /\bfrom\s+"([^"]+)"|\bimport\s*\(\s*"([^"]+)"|^import\s+"([^"]+)"/gm;

/** The imports of a source file. Examples in doc comments do not count, because they import the package itself. */
export function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...code.matchAll(IMPORT)].map((found) => found[1] ?? found[2] ?? found[3]!);
}
