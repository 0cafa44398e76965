/**
 * The runner of webhooks: one place for each turn of a subscription. A turn waits for receivers most of the time, so there are many
 * places. They need few connections: one fetches at a time.
 */
import type { EventEmitter } from 'node:events';
import type { Task } from 'graphile-worker';
import type { ClientBase, Notification } from 'pg';
import { newerFlags } from '../platform/queue/job-versions.ts';
import type { Turns } from '../product/delivery/turns.ts';
import { deliverTask } from '../product/webhooks/subscriptions/wake-webhooks.ts';
import { shareBetweenCompanies } from './company-share.ts';
import { type RunnerOptions, superviseRunner } from './runner.ts';

/** Where a turn of another process is told that there is something new for it. */
export const turnsChannel = 'webhook_turns';

const usualPlaces = 100;
/** A job that was lost on the way holds up its subscription. */
const lostJobs = { every_ms: 2_000, lookForMs: 120_000 };

interface TurnsRunnerOptions extends Pick<RunnerOptions, 'url' | 'socketTimeout' | 'poll_ms' | 'peers' | 'log'> {
  turns: Turns;
  task: Task;
  /** Default: 100. */
  places?: number | undefined;
}

export function superviseTurns({ turns, task, places = usualPlaces, ...options }: TurnsRunnerOptions) {
  return superviseRunner({
    ...options,
    concurrency: places,
    tasks: { [deliverTask]: task },
    crontab: '',
    lostJobs,
    observe(events) {
      listenForTurns(events, turns);
      return shareBetweenCompanies(events, places, newerFlags);
    },
  });
}

/** On the connection on which the library listens for jobs. */
function listenForTurns(events: EventEmitter, turns: Turns): void {
  events.on('pool:listen:success', ({ client }: { client: ClientBase }) => {
    client.query(`listen ${turnsChannel}`).catch(() => {}); // then the connection is lost, and the next one listens
  });
  events.on('pool:listen:notification', ({ message }: { message: Notification }) => {
    if (message.channel === turnsChannel && message.payload) turns.nudge(message.payload);
  });
}
