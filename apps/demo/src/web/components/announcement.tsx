import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

interface AnnouncementProps {
  readonly text: string;
  /** What the user types. While it changes, nothing is said, even if the text stays the same. */
  readonly about?: string;
}

/** People who type slowly must not hear about hosts that are only the start of one: “Opens a”, “Opens az”. */
const PAUSE_MS = 1500;

/** An invisible text that screen readers read out when it has changed and then stayed the same for a moment. */
export function Announcement({ text, about }: AnnouncementProps): VNode {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, about]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
