// Tests the guides for third-party tools, with those tools, against a new service.
//
// node scripts/proof/guides-check/guides-check.ts [zapier] [postman]: default all. Downloads are kept in .data/tools, or
// TOOLS_CACHE. Exits with 0 only if every step works as the guide says.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exit } from '../../../src/platform/process/exit.ts';
import { accounts } from '../../run/demo/demo-company.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { cache, project } from '../sdk-check/client.ts';
import { install } from '../sdk-check/install.ts';
import type { Guide } from './guide.ts';
import { postman } from './postman.ts';
import { zapier } from './zapier.ts';

const guides: Guide[] = [zapier, postman];
const names = process.argv.slice(2);
const unknown = names.filter((name) => guides.every((guide) => guide.name !== name));
if (unknown.length > 0) {
  console.error(`Unknown guide ${unknown.join(', ')}; available: ${guides.map(({ name }) => name).join(', ')}.`);
  exit(1);
}
try {
  await withFreshService(process.env, 'guides-check', async (service) => {
    await mkdir(join(project, '.data/guides-check'), { recursive: true });
    for (const guide of guides.filter(({ name }) => names.length === 0 || names.includes(name))) {
      console.log(`${guide.name}, with ${guide.tool}`);
      const tools = join(cache, guide.name);
      await install({ ...guide, generator: guide.tool }, tools);
      for (const line of await guide.check(tools, service, { email: accounts.admin, password: service.password }))
        console.log(`  ${line}`);
    }
  });
  console.log('All guides passed.');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
exit();
