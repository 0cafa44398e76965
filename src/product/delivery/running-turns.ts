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
  run(queue: SubscriptionQueue, jobId: number): Promise<void>;
  /** Signals due deliveries. @returns whether a turn is running here, which checks */
  nudge(webhookId: string): boolean;
  /** Running turns stop claiming, and end once their attempts are recorded. */
  stop(): void;
}

/** How long a turn claims: a long backlog holds its slot this long, then goes to the end of the queue. */
const defaultTurnMs = 5_000;
/** Longer than the gap between events at a moderate rate, so that most need no new job. */
const defaultLingerMs = 50;
const defaultPollMs = 1_000;

export function createTurns({ inFlight, ...options }: TurnsOptions): Turns {
  const all = { turnMs: defaultTurnMs, lingerMs: defaultLingerMs, pollMs: defaultPollMs, ...options };
  const budget: Budget = { remaining: inFlight };
  const running = new Map<string, Set<Turn>>();
  let isStopping = false;
  return {
    async run(queue, jobId) {
      const turn = new Turn(all, queue, { job_id: jobId, budget });
      if (isStopping) turn.stop();
      const siblings = running.get(queue.webhook_id) ?? new Set();
      running.set(queue.webhook_id, siblings.add(turn));
      try {
        await turn.run();
      } finally {
        siblings.delete(turn);
        if (siblings.size === 0 && running.get(queue.webhook_id) === siblings) running.delete(queue.webhook_id);
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
