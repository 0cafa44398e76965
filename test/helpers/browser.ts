/** A headless Chromium from the package registry: needs no browser on the machine, and runs as root. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * The package's own arguments are for a cloud function: one process, which ends with its first page, and web security
 * switched off, which is what is tested here.
 */
const unwanted = /^--(single-process|no-zygote|in-process-gpu|disable-(web-security|site-isolation-trials))$/;

/** @param more arguments of Chromium */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const args = [...chromium.args.filter((argument) => !unwanted.test(argument)), ...more];
  const { folder, executablePath } = await unpack();
  const browser = await playwright.launch({ executablePath, args, headless: true });
  browser.once('disconnected', () => void rm(folder, { recursive: true, force: true }));
  return browser;
}

/**
 * The package unpacks to one place for everybody on the machine: what another user unpacked may not be run, and what
 * another process is unpacking is not whole. So each launch gets a folder of its own.
 */
async function unpack(): Promise<{ folder: string; executablePath: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  // In a process of its own, because the place comes from its environment.
  const script = "import('@sparticuz/chromium').then(async (c) => console.log(await c.default.executablePath()))";
  const env = { ...process.env, TMPDIR: folder };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  return { folder, executablePath: stdout.trim() };
}
