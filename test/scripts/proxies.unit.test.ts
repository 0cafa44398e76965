/** The proxies of `make proof NAME=proxies` match the shipped and documented ones. */
import { readFile } from 'node:fs/promises';
import { caddyOfCompose, caddyVersion, shipped } from '../../scripts/proof/proxies/proxies.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

test('tests the Caddy release line of compose.yaml', async () => {
  expect(`${caddyVersion}.`).toMatch(new RegExp(`^v${(await caddyOfCompose()).replaceAll('.', '\\.')}\\.`));
});

test('the pages name the tested version', async () => {
  for (const page of ['docs/operations/proxies.md', 'docs/operations/deployment.md']) {
    expect(await read(page)).toContain(`Caddy ${caddyVersion.slice(1)}`);
  }
});

test('both configurations allow the largest file, and trust no address from clients', async () => {
  const nginx = await readFile(shipped.nginx, 'utf8');
  expect(nginx).toMatch(/client_max_body_size 64m;/);
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  expect(nginx).not.toContain('$proxy_add_x_forwarded_for');
  expect(await readFile(shipped.caddyfile, 'utf8')).not.toContain('trusted_proxies');
});
