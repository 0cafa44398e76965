import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether the element has ever been near the visible part of the page, so that what is below loads its data only when read. */
export function useInView<E extends HTMLElement>(): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const [wasInView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true);
    });
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, wasInView];
}
