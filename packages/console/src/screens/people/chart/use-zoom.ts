/** Zoom and pan: buttons, Ctrl+wheel, and dragging. Scales to fit the page when printed. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

const limits = { min: 0.2, max: 1.5 };
const step = 1.25;
const padding = 16;
/** Printable width of A4 landscape, in CSS pixels. */
const sheetWidth = 1_040;

export function useZoom(area: RefObject<HTMLDivElement | null>, { width, height }: { width: number; height: number }) {
  const [scale, setScale] = useState(1);
  const by = (factor: number) => setScale((now) => within(now * factor));
  const fit = () => {
    const element = area.current;
    if (!element) return;
    const [free, tall] = [element.clientWidth - 2 * padding, element.clientHeight - 2 * padding];
    setScale(within(Math.min(1, free / width, tall / height)));
    element.scrollTo(0, 0);
  };

  useEffect(() => {
    const element = area.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault(); // or the browser zooms the page
      setScale((now) => within(now * (event.deltaY < 0 ? step : 1 / step)));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [area]);

  const before = useRef(scale);
  useEffect(() => {
    const toSheet = () => {
      before.current = scale;
      flushSync(() => setScale(Math.min(1, sheetWidth / width)));
    };
    const restoreScale = () => setScale(before.current);
    addEventListener('beforeprint', toSheet);
    addEventListener('afterprint', restoreScale);
    return () => {
      removeEventListener('beforeprint', toSheet);
      removeEventListener('afterprint', restoreScale);
    };
  }, [scale, width]);

  const dragOrigin = useRef<{ x: number; y: number }>(undefined);
  const panning = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      const isOnBox = (event.target as Element).closest('[role="treeitem"]');
      if (isOnBox || event.pointerType !== 'mouse') return; // touch scrolls natively
      dragOrigin.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!dragOrigin.current) return;
      event.currentTarget.scrollBy(dragOrigin.current.x - event.clientX, dragOrigin.current.y - event.clientY);
      dragOrigin.current = { x: event.clientX, y: event.clientY };
    },
    onPointerUp: () => {
      dragOrigin.current = undefined;
    },
  };
  return { scale, by, fit, step, panning };
}

function within(scale: number): number {
  return Math.min(limits.max, Math.max(limits.min, scale));
}
