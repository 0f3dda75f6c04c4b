import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

interface AnnouncementProps {
  readonly text: string;
}

/** People who type slowly must not hear about hosts that are only the start of one: “Opens a”, “Opens az”. */
const PAUSE_MS = 1500;

/** An invisible text that screen readers read out when it has changed and then stayed the same for a moment. */
export function Announcement({ text }: AnnouncementProps): VNode {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
