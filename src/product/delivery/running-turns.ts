/** Runs the turns of this process, notifies them of due deliveries, and stops them. */
import type { SubscriptionQueue } from './claim-deliveries.ts';
import { type Budget, Turn, type TurnOptions } from './delivery-turn.ts';

type Periods = 'turnMs' | 'lingerMs' | 'pollMs';

interface TurnsOptions extends Omit<TurnOptions, Periods>, Partial<Pick<TurnOptions, Periods>> {
  /** Attempts in flight in this process; each turn may have a few in any case. */
  inFlight: number;
}

export interface Turns {
  /** Resolves at the end of the turn. @throws the database error */
  run(line: SubscriptionQueue, jobId: number): Promise<void>;
  /** Signals due deliveries. @returns whether a turn is running here, which checks */
  nudge(webhookId: string): boolean;
  /** Running turns stop claiming, and end once their attempts are recorded. */
  stop(): void;
}

/** How long a turn claims: a long backlog holds its slot this long, then goes to the end of the queue. */
const usualTurnMs = 5_000;
/** Longer than the gap between events at a moderate rate, so that most need no new job. */
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
