import { useState } from 'react';
import { Button } from './button.tsx';
import { t } from './words.ts';

/** @param what is copied, for those who hear the button */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <>
      <Button
        kind="quiet"
        aria-label={t(copied ? 'copy.done-what' : 'copy.what', { what })}
        onClick={copy}
        onBlur={() => setCopied(false)}
      >
        {copied ? t('copy.done') : t('copy')}
      </Button>
      <span className="unseen" role="status">
        {copied ? t('copy.done') : ''}
      </span>
    </>
  );
}
