import { moment } from '../format.ts';
import { useNow } from '../small.tsx';

/**
 * Shows the remaining validity of something.
 * @param what starts the sentence
 * @param over shown after expiry; nothing when omitted
 */
export function Countdown({ what, until, over }: { what: string; until: string; over?: string }) {
  const leftS = Math.max(0, Math.round((Date.parse(until) - useNow(1_000)) / 1_000));
  if (leftS === 0) return over ? <p className="advice">{over}</p> : null;
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(Math.floor(leftS / 3_600))}:${two(Math.floor(leftS / 60) % 60)}:${two(leftS % 60)}`;
  return (
    <p className="advice">
      {what}{' '}
      <time dateTime={until} title={moment(until)} role="timer" className="figure">
        {clock}
      </time>
    </p>
  );
}
