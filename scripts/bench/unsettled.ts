// Changes somebody of a company 20 times a second while others are measured, so that no total that was counted holds for
// long: what a list costs must not rest on nobody working in the company.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Filled } from './fill.ts';

const pause_ms = 50;

/** @returns ends it */
export async function unsettled(url: string, { company_id, ids }: Filled): Promise<() => Promise<void>> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('set synchronous_commit = off');
  const change = `with changed as (update collaborators set phone = $3 where company_id = $1 and id = $2)
    update collaborator_counts set changes = changes + 1 where company_id = $1 and slot = 99`;
  let ended = false;
  const work = async () => {
    for (let n = 0; !ended; n++) {
      await client.query(change, [company_id, ids[n % ids.length], String(n)]);
      await sleep(pause_ms);
    }
    await client.end();
  };
  const working = work();
  return async () => {
    ended = true;
    await working;
  };
}
