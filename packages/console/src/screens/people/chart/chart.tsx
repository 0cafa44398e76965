/** The org chart as a top-down tree: zoom, pan, search, print, picture, and keyboard navigation. */
import { useMutation } from '@tanstack/react-query';
import { ImageDown, Minus, Plus, Printer, Scan } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { PersonField } from '../../../parts/fields/person-field.tsx';
import { saveFile } from '../../../parts/save-file.ts';
import { Loading } from '../../../parts/small.tsx';
import { t } from '../../../parts/translate.ts';
import { ChartBox } from './chart-box.tsx';
import { inOrder } from './chart-items.ts';
import { boxWidth, layoutOf } from './chart-layout.ts';
import { chartPicture } from './chart-picture.ts';
import { useBranches } from './use-branches.ts';
import { useTreeKeys } from './use-tree-keys.ts';
import { useZoom } from './use-zoom.ts';

export function Chart({ company }: { company: string }) {
  const tree = useBranches(company);
  const { branches } = tree;
  const layout = layoutOf(branches);
  const items = inOrder(branches);
  const area = useRef<HTMLDivElement>(null);
  const zoom = useZoom(area, layout);
  const [active, setActive] = useState<string>();
  const [isFocused, setFocused] = useState(false);
  const [found, setFound] = useState('');
  const current = items.find(({ key }) => key === active) ?? items[0];
  const move = (key: string) => {
    setActive(key);
    setFocused(true);
  };
  const onKeyDown = useTreeKeys({ company, items, current, tree, move });
  // Focus the active item after it is rendered.
  useEffect(() => {
    if (!isFocused || current?.key !== active) return;
    const box = area.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]');
    box?.focus({ preventScroll: true });
    box?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    setFocused(false);
  }, [isFocused, active, current]);
  // Center the top person: a wide level extends beyond both sides of the screen.
  const centre = layout.placed[0] && layout.placed[0].x + boxWidth / 2;
  const isCentred = useRef(false);
  useEffect(() => {
    if (centre === undefined || isCentred.current || !area.current) return;
    isCentred.current = true;
    area.current.scrollLeft = centre - area.current.clientWidth / 2;
  }, [centre]);
  const find = async (id: string) => {
    setFound(id);
    if (id && (await tree.find(id))) move(id);
  };
  const picture = useMutation({ mutationFn: async () => saveFile(await chartPicture(layout), 'org-chart.png') });
  if (tree.isEmpty) return null;
  return (
    <section className="panel chart-panel" aria-label={t`Org chart`}>
      <div className="row chart-tools">
        <PersonField label={t`Find a person`} company={company} value={found} onChange={find} />
        <Button onClick={() => zoom.by(1 / zoom.step)} aria-label={t`Zoom out`}>
          <Minus aria-hidden="true" size={18} />
        </Button>
        <Button onClick={() => zoom.by(zoom.step)} aria-label={t`Zoom in`}>
          <Plus aria-hidden="true" size={18} />
        </Button>
        <Button onClick={zoom.fit} aria-label={t`Fit to the screen`}>
          <Scan aria-hidden="true" size={18} />
        </Button>
        <Button onClick={() => window.print()} aria-label={t`Print`}>
          <Printer aria-hidden="true" size={18} />
        </Button>
        <Button onClick={() => picture.mutate()} busy={picture.isPending} aria-label={t`Save as a picture`}>
          <ImageDown aria-hidden="true" size={18} />
        </Button>
      </div>
      {picture.error && <Problem error={picture.error} />}
      {tree.error && <Problem error={tree.error} retry={tree.retry} />}
      {tree.isLoading && <Loading />}
      <div className="org-area" ref={area} {...zoom.panning}>
        <div style={{ width: layout.width * zoom.scale, height: layout.height * zoom.scale }} className="chart-room">
          <div
            role="tree"
            aria-label={t`Org chart`}
            className="chart-canvas"
            style={{ width: layout.width, height: layout.height, transform: `scale(${zoom.scale})` }}
            onKeyDown={onKeyDown}
          >
            <svg aria-hidden="true" width={layout.width} height={layout.height}>
              <path d={layout.lines.join('')} />
            </svg>
            {inReadingOrder(layout.placed, items).map(({ item, x, y }) => (
              <ChartBox
                key={item.key}
                company={company}
                item={item}
                point={{ x, y }}
                isActive={item === current}
                tree={tree}
                onActive={() => setActive(item.key)}
              />
            ))}
          </div>
        </div>
      </div>
      <p className="hint">{t`Arrow keys move through the chart, Enter opens a person. Hold Ctrl and scroll to zoom.`}</p>
    </section>
  );
}

/** DOM order follows keyboard order (depth first), not levels. */
function inReadingOrder<P extends { item: { key: string } }>(placed: readonly P[], items: readonly { key: string }[]) {
  const placementByKey = new Map(placed.map((placement) => [placement.item.key, placement]));
  return items.flatMap(({ key }) => placementByKey.get(key) ?? []);
}
