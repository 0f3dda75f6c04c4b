import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { type Change, diff } from "../model/diff.ts";
import { Shortened } from "./data.tsx";

const LIMITS: Readonly<Record<Change["kind"], number>> = { same: 160, removed: 240, added: 240 };

function Run({ change: { kind, text } }: { readonly change: Change }): VNode {
  const content = <Shortened text={text} limit={LIMITS[kind]} />;
  if (kind === "removed") return <del>{content}</del>;
  if (kind === "added") return <ins>{content}</ins>;
  return content;
}

/** The text after a change, with what was inserted and removed marked. */
export function Difference(props: { readonly before: string; readonly after: string }): VNode {
  const { before, after } = props;
  const changes = useMemo(() => diff(before, after), [before, after]);
  return (
    <span class="data" dir="ltr">
      {changes.map((change, i) => (
        <Run key={i} change={change} />
      ))}
    </span>
  );
}
