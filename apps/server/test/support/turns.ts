/** Counts the turns of the event loop and the events in each turn. */
export interface TurnCounter {
  /** Records an event in the current turn. */
  note(): void;
  /** The largest number of events in one turn. */
  most(): number;
  /** The number of turns so far. */
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
