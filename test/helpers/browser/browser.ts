/** Launches a headless Chromium from an npm package: needs no installed browser, and runs as root. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * The package's default arguments suit a cloud function: a single process that exits with its first page, and web
 * security off, which these tests need on.
 */
const unwanted = /^--(single-process|no-zygote|in-process-gpu|disable-(web-security|site-isolation-trials))$/;

export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const args = [...chromium.args.filter((argument) => !unwanted.test(argument)), ...more];
  const { folder, executablePath } = await unpack();
  const browser = await playwright.launch({ executablePath, args, headless: true });
  browser.once('disconnected', () => void rm(folder, { recursive: true, force: true }));
  return browser;
}

/**
 * Unpacks Chromium to a new folder for each launch. The package's default location is shared: files unpacked by another
 * user can't be executed, and another process may still be unpacking.
 */
async function unpack(): Promise<{ folder: string; executablePath: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  // The package reads the location from the environment, hence the separate process.
  const script = "import('@sparticuz/chromium').then(async (c) => console.log(await c.default.executablePath()))";
  const env = { ...process.env, TMPDIR: folder };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  return { folder, executablePath: stdout.trim() };
}
