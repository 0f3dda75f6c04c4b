/** Counts the turns of the event loop, to find out what happens in the same one. */
export interface TurnCounter {
  /** Notes that something happened in this turn. */
  note(): void;
  /** The most that was noted in one turn. */
  most(): number;
  stop(): void;
}

export function turnCounter(): TurnCounter {
  let [noted, most] = [0, 0];
  const turn = () => {
    noted = 0;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return {
    note() {
      most = Math.max(most, ++noted);
    },
    most: () => most,
    stop: () => clearImmediate(next),
  };
}
