/** A headless Chromium from the package registry: needs no browser on the machine, and runs as root. */
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * The package's own arguments are for a cloud function: one process, which ends with its first page, and web security
 * switched off, which is what is tested here.
 */
const unwanted = /^--(single-process|no-zygote|in-process-gpu|disable-(web-security|site-isolation-trials))$/;

export async function launchBrowser(): Promise<Browser> {
  const args = chromium.args.filter((argument) => !unwanted.test(argument));
  return playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true });
}
