/** The runner for webhook turns. Turns mostly wait for receivers, so there are many slots, which need few connections. */
import type { EventEmitter } from 'node:events';
import type { Task } from 'graphile-worker';
import type { ClientBase, Notification } from 'pg';
import { newerFlags } from '../platform/queue/job-versions.ts';
import type { Turns } from '../product/delivery/running-turns.ts';
import { deliverTask } from '../product/webhooks/subscriptions/wake-webhooks.ts';
import { shareBetweenCompanies } from './company-share.ts';
import { type RunnerOptions, superviseRunner } from './runner.ts';

/** The channel that wakes turns in other processes. */
export const turnsChannel = 'webhook_turns';

const defaultSlots = 100;
/** A lost job blocks its subscription, so check often. */
const lostJobs = { every_ms: 2_000, checkForMs: 120_000 };

interface TurnsRunnerOptions
  extends Pick<RunnerOptions, 'url' | 'socketTimeout' | 'poll_ms' | 'peers' | 'register' | 'log'> {
  turns: Turns;
  task: Task;
  slots?: number | undefined;
}

export function superviseTurns({ turns, task, slots = defaultSlots, ...options }: TurnsRunnerOptions) {
  return superviseRunner({
    ...options,
    concurrency: slots,
    tasks: { [deliverTask]: task },
    crontab: '',
    lostJobs,
    observe(events) {
      listenForTurns(events, turns);
      return shareBetweenCompanies(events, slots, newerFlags);
    },
  });
}

function listenForTurns(events: EventEmitter, turns: Turns): void {
  events.on('pool:listen:success', ({ client }: { client: ClientBase }) => {
    client.query(`listen ${turnsChannel}`).catch(() => {}); // the connection is lost, and the next one listens
  });
  events.on('pool:listen:notification', ({ message }: { message: Notification }) => {
    if (message.channel === turnsChannel && message.payload) turns.nudge(message.payload);
  });
}
