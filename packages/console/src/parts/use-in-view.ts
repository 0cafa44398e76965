import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Whether the element has ever been visible while no requests were pending. Sections below the fold load their data only
 * when scrolled to, and pending requests may still move them down.
 */
export function useInView<E extends HTMLElement>(): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const client = useQueryClient();
  const [wasInView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      const { isIntersecting, target } = entries.at(-1)!;
      if (!isIntersecting) return;
      if (client.isFetching() === 0) return setInView(true);
      // Reports the element again in the next frame.
      observer.unobserve(target);
      observer.observe(target);
    });
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, [client]);
  return [ref, wasInView];
}
