/** Calls back later. The default is `setTimeout`. */
export interface Timers {
  /** Calls `callback` after so many milliseconds, and returns what cancels that. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const PLATFORM_TIMERS: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
