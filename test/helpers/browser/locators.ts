/** Expectations of a page, repeated until they hold: Playwright reads texts and counts at once, even while the page loads. */
import type { Locator } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** Expects the texts of the elements, hidden ones included. */
export async function expectTexts(elements: Locator, texts: unknown): Promise<void> {
  await eventually(async () => expect(await elements.allTextContents()).toEqual(texts));
}

/** Expects the texts of the elements as they are displayed. */
export async function expectVisibleTexts(elements: Locator, texts: unknown): Promise<void> {
  await eventually(async () => expect(await elements.allInnerTexts()).toEqual(texts));
}

export async function expectCount(elements: Locator, count: number): Promise<void> {
  await eventually(async () => expect(await elements.count()).toBe(count));
}
