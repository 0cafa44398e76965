/** Checks that keyboard users see where they are. */
import type { Page } from 'playwright-core';

/** @returns the controls that got the focus while covered, clipped, or with an outline that a container cuts off above or below */
export async function hiddenFocus(page: Page, key: 'Tab' | 'Shift+Tab', times: number): Promise<string[]> {
  const hidden: string[] = [];
  for (let pressed = 0; pressed < times; pressed += 1) {
    await page.keyboard.press(key);
    const problem = await page.evaluate(`(${problemOfFocus})()`);
    if (problem) hidden.push(problem as string);
  }
  return hidden;
}

const problemOfFocus = `() => {
  const control = document.activeElement;
  if (control === document.body) return;
  const { left, top, width, height } = control.getBoundingClientRect();
  const name = control.getAttribute('aria-label') ?? control.textContent;
  for (const y of [top + 2, top + height / 2, top + height - 2]) {
    const visible = document.elementFromPoint(left + width / 2, y);
    if (!control.contains(visible)) return name + ' is below ' + (visible?.className || visible?.tagName);
  }
  const { outlineOffset, outlineWidth } = getComputedStyle(control);
  const outlinePx = parseFloat(outlineOffset) + parseFloat(outlineWidth);
  for (let box = control.parentElement; box !== document.body; box = box.parentElement) {
    const edges = box.getBoundingClientRect();
    if (getComputedStyle(box).overflowY === 'visible') continue;
    if (top - outlinePx < edges.top || top + height + outlinePx > edges.bottom) return name + ' is cut by ' + box.className;
  }
}`;
