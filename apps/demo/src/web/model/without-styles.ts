/** A tag. The time is linear, because a `<` ends the attempt. */
const TAG = /<\/?[a-z](?:[^"'<>]|"[^"<]*"|'[^'<]*')*>/gi;
const ATTRIBUTE = /(?<=[\s"'/])([^\s=/"'>]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+)/g;

/** HTML without styles. Browsers report them as violations of the policy, even in a document that is never shown. */
export function withoutStyles(html: string): string {
  return html.replace(TAG, (tag) =>
    tag
      // Both contain text that is not HTML, and a script does not run there.
      .replace(/^(<\/?)style(?![\w-])/i, "$1script")
      .replace(ATTRIBUTE, (whole, name: string) => (name.toLowerCase() === "style" ? "" : whole)),
  );
}
