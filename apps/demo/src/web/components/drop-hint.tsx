import type { VNode } from "preact";
import type { ScreenName } from "../model/screens.ts";

/** Says where a file can be dropped, while it is dragged over the page. */
export function DropHint({ screen }: { readonly screen: ScreenName }): VNode {
  return (
    <p class="drop-hint" aria-hidden="true">
      {screen === "many"
        ? "Drop a file of URLs to check, or drop a list on “Lists”"
        : "Drop a mail, a page or a text to check its links, or a list on “Lists”"}
    </p>
  );
}
