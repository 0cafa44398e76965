/** Small shared components. */
import type { ReactNode } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fromNow, moment, shortMoment } from './format.ts';
import { t } from './translate.ts';

export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="unseen">{t`Loading …`}</span>
    </div>
  );
}

/** Empty state: why, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}

export type Tone = 'good' | 'bad' | 'waiting' | 'quiet';

/** The text always repeats what the color means. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** A time, with the full date as a tooltip. */
export function Time({ at, short = true }: { at: string; short?: boolean }) {
  return (
    <time dateTime={at} title={moment(at)}>
      {short ? shortMoment(at) : moment(at)}
    </time>
  );
}

/** Relative time, updated live. */
export function Since({ at }: { at: string }) {
  const nowMs = useNow(1_000);
  return (
    <time dateTime={at} title={moment(at)}>
      {fromNow(at, nowMs)}
    </time>
  );
}

export function useNow(everyMs: number): number {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

const titleSeparator = ' · ';

/** The title of the current screen. */
export function screenTitle(): string {
  return document.title.slice(0, document.title.lastIndexOf(titleSeparator));
}

/** Screen heading; also sets the document title. Until the next heading is loaded, `main` has the focus in its place. */
export function Heading({ children, title, aside }: { children?: ReactNode; title: string; aside?: ReactNode }) {
  useEffect(() => {
    document.title = `${title}${titleSeparator}${t`Collaborators`}`;
  }, [title]);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const { current } = heading;
    const main = current!.closest('main');
    if (document.activeElement === main) current!.focus({ preventScroll: true });
    return () => {
      if (document.activeElement === current) main?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div className="heading">
      <h1 tabIndex={-1} ref={heading}>
        {children ?? title}
      </h1>
      {aside && <div className="row">{aside}</div>}
    </div>
  );
}
