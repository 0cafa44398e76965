/** The proxies that `make proof NAME=proxies` runs are those that are shipped and documented. */
import { readFile } from 'node:fs/promises';
import { caddyOfCompose, caddyVersion, shipped } from '../../scripts/proof/proxies/proxies.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the Caddy that is tried is of the line that compose.yaml names', async () => {
  expect(`${caddyVersion}.`).toMatch(new RegExp(`^v${(await caddyOfCompose()).replaceAll('.', '\\.')}\\.`));
});

test('the pages name the version that was tried', async () => {
  for (const page of ['docs/operations/proxies.md', 'docs/operations/deployment.md']) {
    expect(await read(page)).toContain(`Caddy ${caddyVersion.slice(1)}`);
  }
});

test('both configurations take the largest file, and no address from a client', async () => {
  const nginx = await readFile(shipped.nginx, 'utf8');
  expect(nginx).toMatch(/client_max_body_size 64m;/);
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  expect(nginx).not.toContain('$proxy_add_x_forwarded_for');
  expect(await readFile(shipped.caddyfile, 'utf8')).not.toContain('trusted_proxies');
});
