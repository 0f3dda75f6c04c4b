import { prefixListFileKind } from "@x/prefix-list";
import { useCallback, useState } from "preact/hooks";
import type { ScreenName } from "../model/screens.ts";
import { useFileDrop } from "./use-file-drop.ts";
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

/** The files that the user has dropped or chosen, which are checked instead of texts. */
export interface OpenedFiles {
  /** A file in which links are searched. */
  readonly text: File | null;
  /** A file of URLs. */
  readonly urls: File | null;
}

interface DroppedFilesOptions {
  readonly screen: ScreenName;
  readonly onList: (file: File) => void;
  /** Called when a file takes the place of the text on the first screen. */
  readonly onText: () => void;
}

/** Handles dropped files. Each becomes a list or the input of the screen. */
export function useDroppedFiles({ screen, onList, onText }: DroppedFilesOptions) {
  const [files, setFiles] = useState<OpenedFiles>({ text: null, urls: null });
  const open = useCallback(
    (changed: Partial<OpenedFiles>) => setFiles((before) => ({ ...before, ...changed })),
    [],
  );
  const take = useCallback(
    async (file: File, target: Element): Promise<void> => {
      const isForList = target.closest("[data-drop=list]") !== null;
      const isForUrls = screen === "many";
      if (isForList || (!isForUrls && screen !== "url")) return onList(file);
      if (await pendingUntil(isListFile(file))) return onList(file);
      open(isForUrls ? { urls: file } : { text: file });
      if (!isForUrls) onText();
    },
    [screen, onList, onText, open],
  );
  return { files, open, isDragging: useFileDrop(take) };
}
