/** The demo company's first month of activity, which fills every screen of the console. */
import { createRandom } from '../../random/random.ts';
import { accounts } from './demo-company.ts';
import { appSteps } from './month-apps.ts';
import { type Chapter, daysAgo } from './month-chapter.ts';
import { importSteps } from './month-imports.ts';
import { paperSteps } from './month-papers.ts';
import { staffSteps } from './month-staff.ts';
import { databaseTime, type Moment, moveBack } from './month-times.ts';
import { webhookSteps } from './month-webhooks.ts';
import type { World } from './month-world.ts';
import type { Receivers } from './receivers.ts';
import { staff } from './staff.ts';

/** Fixed, so that the company is always the same. */
const seed = 1822;
const minuteMs = 60_000;

/** Plays the month in order, then backdates it. @param started when the company was created, in database time */
export async function playMonth(world: World, receivers: Receivers, started: string, password: string): Promise<void> {
  const random = createRandom(seed);
  const people = staff(random.fork('staff'), accounts.admin);
  const chapter: Chapter = { world, random, people, receivers, password };
  const steps = [
    ...importSteps(chapter),
    ...staffSteps(chapter),
    ...paperSteps(chapter),
    ...webhookSteps(chapter),
    ...appSteps(chapter),
    { agoMin: 45, run: () => world.export() },
  ].sort((a, b) => b.agoMin - a.agoMin);
  const moments: Moment[] = [{ started, at: new Date(Date.now() - daysAgo(30, 9) * minuteMs) }];
  await world.reloadPeople();
  for (const { agoMin, run } of steps) {
    world.at = new Date(Date.now() - agoMin * minuteMs);
    moments.push({ started: await databaseTime(world.db), at: world.at });
    await run();
  }
  await world.delivered();
  await moveBack(world.tenant, moments);
  await world.writeAudit();
}
