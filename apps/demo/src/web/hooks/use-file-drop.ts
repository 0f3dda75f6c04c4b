import { useEffect, useState } from "preact/hooks";

/** Handles files that are dropped anywhere on the page. Returns whether a file is being dragged over the page. */
export function useFileDrop(onFile: (file: File, target: Element) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      // If there is a related target, the file was only dragged onto another element of the page.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Otherwise the browser would leave the page and show the file.
      event.preventDefault();
      setIsOver(false);
      for (const file of event.dataTransfer!.files) onFile(file, event.target as Element);
    };
    const listening = new AbortController();
    addEventListener("dragover", over, listening);
    addEventListener("dragleave", leave, listening);
    addEventListener("drop", drop, listening);
    return () => listening.abort();
  }, [onFile]);
  useEffect(() => {
    document.documentElement.toggleAttribute("data-dragging", isOver);
  }, [isOver]);
  return isOver;
}
