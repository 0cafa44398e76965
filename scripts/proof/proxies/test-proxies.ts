// Runs test/proxies behind real proxies: the shipped Caddyfile with the Caddy version of compose.yaml, and the shipped nginx
// configuration. Installs Caddy as a Go module, and nginx from Debian's package; skips an unavailable proxy with a message. `make
// proof NAME=proxies PROXIES=caddy` runs only one; FETCH=no uses installed ones.
import { interruptible } from '../../../packages/cli/src/terminal/interrupt.ts';
import { exit } from '../../../src/platform/process/exit.ts';
import { runJest } from '../run-jest.ts';
import { caddyVersion, fetchCaddy, fetchNginx, findCaddy, findNginx } from './proxies.ts';

const requested = process.env.PROXIES?.split(/[\s,]+/).filter(Boolean) ?? [];
const canDownload = process.env.FETCH !== 'no';
const available: string[] = [];
for (const [name, find, fetch] of [
  ['caddy', findCaddy, fetchCaddy],
  ['nginx', findNginx, fetchNginx],
] as const) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  const found = (await find()) ?? (canDownload ? await fetched(name, fetch) : undefined);
  if (found) available.push(name);
  else
    console.log(
      `There is no ${name === 'caddy' ? `Caddy ${caddyVersion}` : name} is not installed: its tests were skipped.`,
    );
}
if (available.length > 0) {
  const args = ['--selectProjects', 'proxies', '--runInBand', ...process.argv.slice(2)];
  const env = { ...process.env, PROXIES: available.join(' ') };
  process.exitCode = await interruptible((signal) => runJest(args, { env, prints: true, signal }));
}
exit();

function fetched(name: string, fetch: () => Promise<unknown>): Promise<unknown> {
  console.log(`fetching ${name}, which takes some minutes the first time`);
  return fetch();
}
