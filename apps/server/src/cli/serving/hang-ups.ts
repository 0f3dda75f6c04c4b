/** A handler of SIGHUP, which would otherwise end the process. */
interface HangUps {
  /** Calls `run` at each signal from now on, and at once if a signal has already come. */
  handle(run: () => void): void;
  release(): void;
}

/** Catches SIGHUP until `release` is called. */
export function catchHangUps(): HangUps {
  let isHungUp = false;
  let run = () => {};
  const onSignal = () => {
    isHungUp = true;
    run();
  };
  process.on("SIGHUP", onSignal);
  return {
    handle(then) {
      run = then;
      if (isHungUp) run();
    },
    release: () => void process.off("SIGHUP", onSignal),
  };
}
