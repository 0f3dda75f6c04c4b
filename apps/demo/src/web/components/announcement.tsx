import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

interface AnnouncementProps {
  readonly text: string;
}

/** While someone types, a text that changes with every key would drown out the keys. */
const PAUSE_MS = 600;

/** A text that screen readers read out when it has changed and then stayed for a moment. It is not visible. */
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
