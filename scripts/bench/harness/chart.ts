// Renders a bar chart as SVG: groups of horizontal bars with ranges, for light and dark pages.
import type { Range } from './figures.ts';

export interface Bar {
  group: string;
  name: string;
  role: keyof typeof colors;
  range: Range;
}

const width = 800;
const left = 250;
const right = 110;
const line = 24;
const colors = { service: '#0f766e', peer: '#94a3b8', database: '#cbd5e1' };

/** Each group has its own scale, because only its bars are compared with each other. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const groups = Map.groupBy(bars, ({ group }) => group);
  const parts: string[] = [];
  let y = 48;
  for (const [group, members] of groups) {
    parts.push(text(16, y, group, 'font-weight="600"'));
    y += 10;
    const most = Math.max(...members.map(({ range }) => range.most));
    const at = (value: number) => left + (value / most) * (width - left - right);
    for (const { name, role, range } of members) {
      y += line;
      const [from, to, middle] = [at(range.least), at(range.most), y - 5];
      parts.push(
        text(left - 10, y, name, 'text-anchor="end"'),
        `<rect x="${left}" y="${y - 14}" width="${(at(range.median) - left).toFixed(1)}" height="18" rx="2" fill="${colors[role]}"/>`,
        `<path d="M${from.toFixed(1)} ${middle}H${to.toFixed(1)}" stroke="currentColor" stroke-width="1.5"/>`,
        text(to + 8, y, range.median.toLocaleString('en', { maximumFractionDigits: 0 })),
      );
    }
    y += 40;
  }
  const style =
    'svg{color:#0f172a;background:#fff}@media(prefers-color-scheme:dark){svg{color:#e2e8f0;background:#0f172a}}';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>${escaped(title)}</title><style>${style}</style>
${text(16, 24, title, 'font-size="15" font-weight="600"')}
${parts.join('\n')}
</svg>
`;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y}" fill="currentColor" ${attributes}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
