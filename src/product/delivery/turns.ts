/** The turns of subscriptions that this process is at. */
import type { Line } from './claim-deliveries.ts';
import { type Budget, Turn, type TurnOptions } from './turn.ts';

type Periods = 'turnMs' | 'lingerMs' | 'pollMs';

interface TurnsOptions extends Omit<TurnOptions, Periods>, Partial<Pick<TurnOptions, Periods>> {
  /** Attempts under way in this process; each turn may have a few in any case. */
  inFlight: number;
}

export interface Turns {
  /** Ends when the turn does. @throws what keeps it from the database */
  run(line: Line, jobId: number): Promise<void>;
  /** Something is due for a subscription. @returns whether it has a turn here, which looks */
  nudge(webhookId: string): boolean;
  /** Those that run claim no more, and end when what they have under way has ended and is recorded. */
  stop(): void;
}

/** How long a turn takes new deliveries: so a long backlog holds a place for that long, and goes to the end of the queue. */
const usualTurnMs = 5_000;
/** Longer than events are apart at a moderate rate; then no job has to be added for each of them. */
const usualLingerMs = 50;
const usualPollMs = 1_000;

export function createTurns({ inFlight, ...options }: TurnsOptions): Turns {
  const all = { turnMs: usualTurnMs, lingerMs: usualLingerMs, pollMs: usualPollMs, ...options };
  const budget: Budget = { left: inFlight };
  const running = new Map<string, Set<Turn>>();
  let isStopping = false;
  return {
    async run(line, jobId) {
      const turn = new Turn(all, line, { job_id: jobId, budget });
      if (isStopping) turn.stop();
      const beside = running.get(line.webhook_id) ?? new Set();
      running.set(line.webhook_id, beside.add(turn));
      try {
        await turn.run();
      } finally {
        beside.delete(turn);
        if (beside.size === 0 && running.get(line.webhook_id) === beside) running.delete(line.webhook_id);
      }
    },
    nudge(webhookId) {
      const turns = running.get(webhookId);
      for (const turn of turns ?? []) turn.nudge();
      return turns !== undefined;
    },
    stop() {
      isStopping = true;
      for (const turns of running.values()) for (const turn of turns) turn.stop();
    },
  };
}
