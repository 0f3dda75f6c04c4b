/** The worker handles waiting messages about once in this many milliseconds. */
export const TURN_MS = 16;

const waiting: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => waiting.shift()?.();

/**
 * Lets the worker handle waiting messages. The function uses a message, not a timer, because browsers slow down
 * repeated timers.
 */
export function handleWaitingMessages(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
}
