import { CodeBlock } from '../code-block.tsx';
import { t } from '../translate.ts';

export function SecretOnce({ secret }: { secret: string }) {
  return (
    <div className="once">
      <p>
        <strong>{t`This is shown only once.`}</strong> {t`Store it where your program can read it, and nowhere else.`}
      </p>
      <CodeBlock title={t`Secret`} text={secret} />
    </div>
  );
}
