import { CodeBlock } from './code-block.tsx';
import { t } from './words.ts';

/** A secret that is not shown again. */
export function SecretOnce({ secret }: { secret: string }) {
  return (
    <div className="once">
      <p>
        <strong>{t('secret.once')}</strong> {t('secret.once.more')}
      </p>
      <CodeBlock title={t('secret')} text={secret} />
    </div>
  );
}
