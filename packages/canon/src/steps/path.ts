/**
 * Resolves the `.` and `..` segments of a path. A `..` removes the segment before it, even an empty one,
 * and never goes above the root.
 */
export function resolveDotSegments(path: string): string {
  if (!path.includes("/.")) return path;
  const kept: string[] = [];
  const segments = path.split("/");
  const last = segments.length - 1;
  // The first segment is empty, because a path starts with a slash.
  for (let i = 1; i <= last; i++) {
    const segment = segments[i]!;
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
    // A dot segment at the end leaves the folder with its slash.
    if (i === last && (segment === "." || segment === "..")) kept.push("");
  }
  return `/${kept.join("/")}`;
}

export function collapseSlashes(path: string): string {
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
}
