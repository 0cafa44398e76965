/** Zooming an area and moving it: by buttons, by Ctrl and the wheel, and by pulling. Printed, it fits the page. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

const limits = { least: 0.2, most: 1.5 };
const step = 1.25;
/** Of the area, in pixels. */
const padding = 16;
/** The width of a sheet of A4 across, without its margins, in CSS pixels. */
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
    const back = () => setScale(before.current);
    addEventListener('beforeprint', toSheet);
    addEventListener('afterprint', back);
    return () => {
      removeEventListener('beforeprint', toSheet);
      removeEventListener('afterprint', back);
    };
  }, [scale, width]);

  const pulled = useRef<{ x: number; y: number }>(undefined);
  const panning = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      const isOnBox = (event.target as Element).closest('[role="treeitem"]');
      if (isOnBox || event.pointerType !== 'mouse') return; // a finger scrolls by itself
      pulled.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!pulled.current) return;
      event.currentTarget.scrollBy(pulled.current.x - event.clientX, pulled.current.y - event.clientY);
      pulled.current = { x: event.clientX, y: event.clientY };
    },
    onPointerUp: () => {
      pulled.current = undefined;
    },
  };
  return { scale, by, fit, step, panning };
}

function within(scale: number): number {
  return Math.min(limits.most, Math.max(limits.least, scale));
}
