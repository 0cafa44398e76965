import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../button.tsx';
import { Confirm, Dialog } from '../dialog.tsx';
import { moment } from '../format.ts';
import { t } from '../translate.ts';
import { Countdown } from './countdown.tsx';
import { SecretOnce } from './secret-once.tsx';

interface Rotation {
  /** Dialog text: with an overlap, and without. */
  about: string;
  aboutAtOnce: string;
  /** Text after a rotation without an overlap. */
  doneAtOnce: string;
  /** @returns the new secret, and when the previous one expires; null if it was revoked at once */
  rotate(immediately: boolean): Promise<{ secret: string; until: string | null }>;
}

interface SecretPanelProps extends Rotation {
  description: string;
  /** Countdown label of the previous secret. */
  overlap: string;
  /** When the previous secret expires. */
  until: string | null;
}

/** Rotates a secret, and shows how long the previous one stays valid. */
export function SecretPanel({ description, overlap, until, ...rotation }: SecretPanelProps) {
  const [isRotating, setRotating] = useState(false);
  return (
    <section className="panel" aria-labelledby="secret">
      <h2 id="secret">{t`Secret`}</h2>
      <p>{description}</p>
      {until && <Countdown label={overlap} until={until} />}
      <Button onClick={() => setRotating(true)}>{t`Rotate the secret`}</Button>
      {isRotating && <Rotate {...rotation} onClose={() => setRotating(false)} />}
    </section>
  );
}

function Rotate({ about, aboutAtOnce, doneAtOnce, rotate, onClose }: Rotation & { onClose(): void }) {
  const [immediately, setImmediately] = useState(false);
  const { mutate, data, isPending, error } = useMutation({ mutationFn: () => rotate(immediately) });
  if (data) {
    const done = data.until ? t`The previous secret is valid until ${moment(data.until)}.` : doneAtOnce;
    return (
      <Dialog open title={t`Rotate the secret`} about={done} onClose={onClose}>
        <SecretOnce secret={data.secret} />
        <div className="actions">
          <Button kind="primary" onClick={onClose}>
            {t`I've stored it`}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Confirm
      open
      title={t`Rotate the secret`}
      about={immediately ? aboutAtOnce : about}
      actionLabel={t`Rotate`}
      danger={immediately}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    >
      <label className="check">
        <input type="checkbox" checked={immediately} onChange={({ target }) => setImmediately(target.checked)} />
        {t`The secret may have leaked: revoke it now`}
      </label>
    </Confirm>
  );
}
