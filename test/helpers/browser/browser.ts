/** Launches a headless Chromium from an npm package: needs no installed browser, and runs as root. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { timeoutMs } from '../eventually.ts';

/**
 * The package's default arguments suit a cloud function: a single process that exits with its first page, and web
 * security off, which these tests need on. Without a GPU, drawing without one is cheaper than emulating one.
 */
const excluded =
  /^--(single-process|no-zygote|in-process-gpu|disable-(web-security|site-isolation-trials)|use-(gl|angle)=.*|.*swiftshader|ignore-gpu-.*)$/;

export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const args = [...chromium.args.filter((argument) => !excluded.test(argument)), '--disable-gpu', ...more];
  const { TEST_CHROMIUM: shared } = process.env;
  const folder = shared ?? (await unpack());
  if (shared && !existsSync(shared)) await unpackOnce(shared);
  const browser = await playwright.launch({ executablePath: join(folder, 'chromium'), args, headless: true });
  browser.on('context', (context) => context.setDefaultTimeout(timeoutMs));
  if (!shared) browser.once('disconnected', () => void rm(folder, { recursive: true, force: true }));
  return browser;
}

/** Unpacks Chromium for all files of a test run; concurrent processes may try at the same time. */
async function unpackOnce(shared: string): Promise<void> {
  const folder = await unpack();
  await rename(folder, shared).catch(() => rm(folder, { recursive: true, force: true }));
  if (!existsSync(join(shared, 'chromium'))) throw new Error(`Chromium was not unpacked to ${shared}`);
}

/**
 * Unpacks Chromium to a new folder. The package's default location is shared: files unpacked by another user can't be
 * executed, and another process may still be unpacking.
 */
async function unpack(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  // The package reads the location from the environment, hence the separate process.
  const script = "import('@sparticuz/chromium').then((c) => c.default.executablePath())";
  await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: folder } });
  return folder;
}
