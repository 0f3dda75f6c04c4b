import type { Io } from "../context.ts";
import {
  findSettings,
  type GivenSettings,
  readSettingsAgain,
  type SettingsOptions,
} from "../settings/settings-file.ts";

/** The variable with which the main process of several tells each of the others its number. */
export const PROCESS_NUMBER = "URLHASH_PROCESS";

/** Whether another process has started this one as one of several that serve. */
export function isOneOfMany({ env }: Pick<Io, "env">): boolean {
  return env[PROCESS_NUMBER] !== undefined && process.connected;
}

/** The settings of a command that keeps running, and how it gets new ones. */
export interface LastingSettings {
  readonly given: GivenSettings;
  /** Reads the settings again. Throws if they are not valid, or if some of those in use are gone. */
  readAgain(inUse: GivenSettings): Promise<GivenSettings>;
  /** Calls `run` at each SIGHUP from now on, and at once if one has already come. */
  onHangUp(run: () => unknown): void;
}

/** Finds the settings of a command, and runs it. SIGHUP must not end the process while the command starts. */
export async function withSettings(
  options: SettingsOptions,
  run: (settings: LastingSettings) => Promise<void>,
): Promise<void> {
  let isHungUp = false;
  let reload: () => unknown = () => {};
  const onSignal = () => {
    isHungUp = true;
    reload();
  };
  process.on("SIGHUP", onSignal);
  try {
    await run({
      given: await findSettings(options),
      readAgain: (inUse) => readSettingsAgain(options, inUse),
      onHangUp(then) {
        reload = then;
        if (isHungUp) then();
      },
    });
  } finally {
    process.off("SIGHUP", onSignal);
  }
}
