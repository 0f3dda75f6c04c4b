import { useEffect, useState } from "preact/hooks";
import type { PageSettings } from "../../page-settings.ts";
import { ask } from "../worker-client.ts";
import { usePending } from "./use-pending.ts";

const NONE = { store: null, reports: [], documents: null, operator: null, source: null };

/** The settings. `problem` says why they could not be read. */
export interface SettingsState {
  /** No settings until they are known. */
  readonly settings: PageSettings;
  readonly isKnown: boolean;
  readonly problem: string | null;
}

async function readSettings(): Promise<PageSettings> {
  const response = await fetch(new URL("settings.json", document.baseURI), { cache: "no-cache" });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const text = await response.text();
  // Most pages have no settings. Their first answer need not wait for the worker.
  return text.trim() === "{}" ? NONE : ask("parsePageSettings", text);
}

/**
 * The settings of the operator. The file is requested at once: a later request would tell the server about the user.
 */
export function usePageSettings(): SettingsState {
  const [settings, setSettings] = useState<PageSettings | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isKnown = settings !== null || problem !== null;
  usePending(!isKnown);
  useEffect(() => {
    readSettings().then(setSettings, (error: Error) => setProblem(error.message));
  }, []);
  return { settings: settings ?? NONE, isKnown, problem };
}
