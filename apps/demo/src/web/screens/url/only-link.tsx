import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Data } from "../../components/data.tsx";
import type { JudgedLink } from "../../model/check-links-in-text.ts";

interface OnlyLinkProps {
  readonly only: JudgedLink;
}

/** A button that leads back from one link to all links of a message. */
export function BackToLinks(): VNode {
  return (
    <p class="row">
      <button type="button" class="link" onClick={() => history.back()}>
        Back to all links
      </button>
    </p>
  );
}

/** The link that an answer is about, if the text does not consist of the link alone. */
export function OnlyLink({ only: { text, shown } }: OnlyLinkProps): VNode {
  return (
    <p class="only">
      The only link in this text: <Data text={text} limit={200} />
      {shown !== null && (
        <strong class="warning"> The text shows {printable(shown).slice(0, 80)} instead.</strong>
      )}
    </p>
  );
}
