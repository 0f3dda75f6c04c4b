/** Counts the turns of the event loop, to find out what happens in the same one. */
export interface TurnCounter {
  /** Notes that something happened in this turn. */
  note(): void;
  /** The most that was noted in one turn. */
  most(): number;
  /** How many turns there have been. */
  turns(): number;
  stop(): void;
}

export function turnCounter(): TurnCounter {
  let [noted, most, turns] = [0, 0, 0];
  const turn = () => {
    noted = 0;
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return {
    note() {
      most = Math.max(most, ++noted);
    },
    most: () => most,
    turns: () => turns,
    stop: () => clearImmediate(next),
  };
}
