// Measures the public pages of a fresh service with Lighthouse, as a phone and as a desktop, and prints their four scores:
// `make proof NAME=lighthouse`. PAGES="/docs /docs/try" chooses pages. Downloads are kept in .data/tools, or TOOLS_CACHE.
// Exits with 1 if a score is below 95. Performance depends on the machine: run nothing beside it.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exit } from '../../../src/platform/process/exit.ts';
import { launchBrowser } from '../../../test/helpers/browser/browser.ts';
import { freePort } from '../../../test/helpers/network/free-port.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { cache, run } from '../sdk-check/client.ts';

const version = '12.8.2';
const minScore = 0.95;
// Lighthouse fetches robots.txt from within the page, which the policy of the front page forbids.
const skipAudits = ['robots-txt'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const { PAGES } = process.env;
const pages = PAGES
  ? PAGES.split(' ')
  : [
      '/',
      '/docs',
      '/docs/guides/first-app',
      '/docs/reference',
      '/docs/operations/listCollaborators',
      '/docs/operations/createCollaborator',
      '/docs/search?q=webhook',
    ];

interface Result {
  lhr: {
    categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
    audits: Record<string, { title: string; score: number | null }>;
    runtimeError?: { message: string };
  };
}
type Lighthouse = (url: string, flags: object, config?: object) => Promise<Result>;
interface Modules {
  default: Lighthouse;
  desktopConfig: object;
}

const tools = join(cache, `lighthouse-${version}`);
await mkdir(tools, { recursive: true });
const installed = join(tools, 'node_modules/lighthouse/core/index.js');
if (!existsSync(installed)) {
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', '--prefix', tools, ...flags, `lighthouse@${version}`], { cwd: tools });
}
const { default: lighthouse, desktopConfig } = (await import(pathToFileURL(installed).href)) as Modules;

await withFreshService(process.env, 'lighthouse', async ({ base_url: baseUrl }) => {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    console.log(`page: ${categories.join(', ')}`);
    for (const page of pages) {
      for (const [device, config] of Object.entries({ phone: undefined, desktop: desktopConfig })) {
        report(`${page}, ${device}`, await lighthouse(baseUrl + page, { port, logLevel: 'error', skipAudits }, config));
      }
    }
  } finally {
    await browser.close();
  }
});
exit();

function report(name: string, { lhr }: Result): void {
  if (lhr.runtimeError) throw new Error(`${name}: ${lhr.runtimeError.message}`);
  const scores = categories.map((category) => lhr.categories[category]!.score ?? 0);
  const failedAudits = categories.flatMap((category, at) =>
    scores[at]! < minScore
      ? lhr.categories[category]!.auditRefs.filter(({ id, weight }) => weight > 0 && (lhr.audits[id]!.score ?? 1) < 0.9)
      : [],
  );
  console.log(`${name}: ${scores.map((score) => Math.round(score * 100)).join(', ')}`);
  for (const { id } of failedAudits) console.log(`  ${lhr.audits[id]!.title}`);
  if (scores.some((score) => score < minScore)) process.exitCode = 1;
}
