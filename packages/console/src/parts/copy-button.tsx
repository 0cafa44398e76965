import { useState } from 'react';
import { Button } from './button.tsx';
import { t } from './translate.ts';

interface CopyButtonProps {
  text: string;
  /** Name of the copied value, for screen readers. */
  subject: string;
  /** Button label, instead of the default "Copy". */
  label?: string;
}

export function CopyButton({ text, subject, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <>
      <Button
        kind="quiet"
        aria-label={label && !copied ? label : copied ? t`Copied: ${subject}` : t`Copy: ${subject}`}
        onClick={copy}
        onBlur={() => setCopied(false)}
      >
        {copied ? t`Copied` : (label ?? t`Copy`)}
      </Button>
      <span className="unseen" role="status">
        {copied ? t`Copied` : ''}
      </span>
    </>
  );
}
