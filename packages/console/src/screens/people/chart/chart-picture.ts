/** The open part of the org chart as a PNG, in the page's colors. */
import { ExplainedError } from '../../../parts/errors/explained-error.ts';
import { number } from '../../../parts/format.ts';
import { t } from '../../../parts/translate.ts';
import type { ChartItem } from './chart-items.ts';
import { boxHeight, boxWidth, type Layout } from './chart-layout.ts';

const margin = 24;
const inset = 12;
/** Browsers refuse larger canvases. */
const maxSidePx = 16_000;

/** @throws if the browser refuses the size */
export async function chartPicture({ placed, lines, width, height }: Layout): Promise<Blob> {
  const [wide, high] = [width + 2 * margin, height + 2 * margin];
  const scale = Math.min(2, maxSidePx / wide, maxSidePx / high);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(wide * scale);
  canvas.height = Math.ceil(high * scale);
  const pen = canvas.getContext('2d')!;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  pen.scale(scale, scale);
  pen.fillStyle = color('--card');
  pen.fillRect(0, 0, wide, high);
  pen.translate(margin, margin);
  pen.strokeStyle = color('--control-line');
  pen.stroke(new Path2D(lines.join('')));
  for (const { item, x, y } of placed) {
    pen.strokeRect(x + 0.5, y + 0.5, boxWidth - 1, boxHeight - 1);
    for (const [at, text] of textsOf(item).entries()) {
      pen.font = `${at === 0 ? '600 ' : ''}13px ${style.fontFamily}`;
      pen.fillStyle = color(at === 0 ? '--text' : '--quiet');
      pen.fillText(shortened(pen, text), x + inset, y + 24 + at * 18);
    }
  }
  return new Promise((done, fail) => {
    canvas.toBlob((blob) =>
      blob ? done(blob) : fail(new ExplainedError(t`The picture is too large for this browser.`)),
    );
  });
}

function textsOf(item: ChartItem): string[] {
  if (item.kind === 'more') return [`+ ${number(item.left)}`];
  const { name, position, team_count: team } = item.node;
  return [name, position, ...(team > 0 ? [t`${number(team)} in the team`] : [])];
}

function shortened(pen: CanvasRenderingContext2D, text: string): string {
  const letters = [...text];
  while (letters.length > 1 && pen.measureText(letters.join('')).width > boxWidth - 2 * inset)
    letters.splice(-2, 2, '…');
  return letters.join('');
}
