import { prefixListFileKind } from "@x/prefix-list";
import { useEffect, useState } from "preact/hooks";
import type { ScreenName } from "../model/screens.ts";
import { pendingUntil } from "./use-pending.ts";

/** Enough bytes to recognize a list file. */
const LIST_FILE_START = 1024;

/** Whether a file is a list file. Only its beginning is read, because a file of URLs may be large. */
async function isListFile(file: File): Promise<boolean> {
  // A file that cannot be read, such as a folder, is reported when it is checked.
  const start = await file
    .slice(0, LIST_FILE_START)
    .arrayBuffer()
    .catch(() => new ArrayBuffer());
  return prefixListFileKind(new Uint8Array(start)) !== null;
}

interface DroppedFilesOptions {
  readonly screen: ScreenName;
  readonly onList: (file: File) => void;
  /** Called when a file takes the place of the text on the first screen. */
  readonly onText: (file: File) => void;
}

/**
 * Handles files that are dropped anywhere on the page. Each becomes a list or is checked. Returns whether a file is
 * being dragged over the page.
 */
export function useDroppedFiles({ screen, onList, onText }: DroppedFilesOptions): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const take = async (file: File, target: Element): Promise<void> => {
      const isForList = target.closest("[data-drop=list]") !== null || screen !== "url";
      if (isForList || (await pendingUntil(isListFile(file)))) onList(file);
      else onText(file);
    };
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
      for (const file of event.dataTransfer!.files) void take(file, event.target as Element);
    };
    const listening = new AbortController();
    addEventListener("dragover", over, listening);
    addEventListener("dragleave", leave, listening);
    addEventListener("drop", drop, listening);
    return () => listening.abort();
  }, [screen, onList, onText]);
  return isOver;
}
