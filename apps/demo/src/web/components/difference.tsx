import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { type Change, diff } from "../model/diff.ts";
import { Omitted, Shortened } from "./data.tsx";

const LIMITS: Readonly<Record<Change["kind"], number>> = { same: 160, removed: 240, added: 240 };
const MOST_CHANGES = 60;

function Run({ change: { kind, text } }: { readonly change: Change }): VNode {
  const content = <Shortened text={text} limit={LIMITS[kind]} />;
  if (kind === "removed") return <del>{content}</del>;
  if (kind === "added") return <ins>{content}</ins>;
  return content;
}

/** The text after a change, with insertions and removals marked. */
export function Difference(props: { readonly before: string; readonly after: string }): VNode {
  const { before, after } = props;
  const changes = useMemo(() => diff(before, after), [before, after]);
  const shown = changes.slice(0, MOST_CHANGES);
  const rest = changes.slice(MOST_CHANGES).reduce((sum, { text }) => sum + text.length, 0);
  return (
    <span class="data" dir="ltr">
      {shown.map((change, i) => (
        <Run key={i} change={change} />
      ))}
      {rest > 0 && <Omitted count={rest} />}
    </span>
  );
}
