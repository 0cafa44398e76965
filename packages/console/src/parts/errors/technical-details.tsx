import { CopyButton } from '../copy-button.tsx';
import { t } from '../translate.ts';

interface TechnicalDetailsProps {
  error: unknown;
  componentStack?: string | undefined;
}

/** Details of a bug in the console, for support. Their text is in English. */
export function TechnicalDetails({ error, componentStack }: TechnicalDetailsProps) {
  const details = detailsOf(error, componentStack);
  return (
    <details>
      <summary>{t`Details`}</summary>
      <pre lang="en">{details}</pre>
      <CopyButton text={details} subject={t`Details`} label={t`Copy the details`} />
    </details>
  );
}

/** Leaves out the query string, because filters may contain names. */
function detailsOf(error: unknown, componentStack: string | undefined): string {
  const { stack, message } = error instanceof Error ? error : { stack: undefined, message: String(error) };
  const stackText = stack?.includes(message)
    ? stack
    : `${error instanceof Error ? error.name : ''} ${message}\n${stack ?? ''}`;
  return [
    `${location.pathname}, ${new Date().toISOString()}`,
    `${navigator.userAgent}, ${navigator.languages.join(' ')}`,
    stackText.trim(),
    componentStack?.trim() ?? '',
  ]
    .join('\n')
    .trim();
}
