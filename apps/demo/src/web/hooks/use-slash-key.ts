import { useEffect } from "preact/hooks";

/** Elements in which the user may want to type a slash. */
const WRITABLE = "input, textarea, select, [contenteditable]";

/** Makes the key `/` move the focus to the first field of the screen. */
export function useSlashKey(): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== "/" || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest(WRITABLE) !== null) return;
      const field = document.querySelector<HTMLElement>("textarea");
      if (field === null) return;
      event.preventDefault();
      field.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
}
