export const DAY: number;

export interface Polling {
  readonly clients: number;
  readonly days: number;
  readonly warmUp: number;
  readonly growth: number;
  readonly wait: number;
  readonly seed?: number;
}

export function simulatePolls(
  polling: Polling,
  events: {
    onPoll(client: number, time: number): void;
    onSecond(time: number): void;
  },
): void;
