import { moment } from '../format.ts';
import { useNow } from '../small.tsx';

/**
 * Shows the remaining validity of something.
 * @param label starts the sentence
 * @param expiredText shown after expiry; nothing when omitted
 */
export function Countdown({ label, until, expiredText }: { label: string; until: string; expiredText?: string }) {
  const remainingS = Math.max(0, Math.round((Date.parse(until) - useNow(1_000)) / 1_000));
  if (remainingS === 0) return expiredText ? <p className="advice">{expiredText}</p> : null;
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const clock = `${twoDigits(Math.floor(remainingS / 3_600))}:${twoDigits(Math.floor(remainingS / 60) % 60)}:${twoDigits(remainingS % 60)}`;
  return (
    <p className="advice">
      {label}{' '}
      <time dateTime={until} title={moment(until)} role="timer" className="figure">
        {clock}
      </time>
    </p>
  );
}
