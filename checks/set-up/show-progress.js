import process from "node:process";

/** In milliseconds. Steps that end sooner are not shown. */
const PATIENCE = 2000;

/**
 * Shows on stderr the current step, the seconds that it has taken, and its progress, a text that `work` passes to the
 * function that it gets. In a terminal, the line changes each second; elsewhere, there is one line at the start and one
 * at the end.
 */
export async function showProgress(doing, done, work) {
  const { stderr } = process;
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  let progress = "";
  let isShown = false;
  const show = () => {
    if (performance.now() - started < PATIENCE) return;
    if (stderr.isTTY) stderr.write(`\r\x1b[K${doing} … ${progress}${seconds()}`);
    else if (!isShown) stderr.write(`${doing} …\n`);
    isShown = true;
  };
  const timer = setInterval(show, 1000);
  let isDone = false;
  try {
    const result = await work((text) => {
      progress = `${text}, `;
    });
    isDone = true;
    return result;
  } finally {
    clearInterval(timer);
    if (isShown) {
      if (stderr.isTTY) stderr.write("\r\x1b[K");
      if (isDone) stderr.write(`${done} in ${seconds()}\n`);
    }
  }
}
