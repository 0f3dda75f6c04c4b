import { useEffect, useState } from "preact/hooks";
import type { PageSettings } from "../model/page-settings.ts";
import { ask } from "../worker-client.ts";
import { usePending } from "./use-pending.ts";

const NONE = { store: null, reports: [], documents: null, operator: null, source: null };

/** The settings. `problem` says why they could not be read. */
export interface SettingsState {
  readonly settings: PageSettings;
  readonly problem: string | null;
}

/**
 * The settings of the operator. The file is requested at once: a later request would tell the server about the user.
 */
export function usePageSettings(): SettingsState {
  const [settings, setSettings] = useState<PageSettings | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  usePending(settings === null && problem === null);
  useEffect(() => {
    const url = new URL("settings.json", document.baseURI).href;
    ask("readSettings", url).then(setSettings, (error: Error) => setProblem(error.message));
  }, []);
  return { settings: settings ?? NONE, problem };
}
