/** One event: its id, and the body that subscribers receive. */

import { docsUrl } from '../../api/client/sign-in.ts';
import type { CompanyEvent } from '../../api/events.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Time } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';

export function EventDetails({ event, onClose }: { event: CompanyEvent; onClose(): void }) {
  const { id, event: name, timestamp } = event;
  return (
    <Dialog
      open
      wide
      title={name}
      about={t`As programs read it. Endpoints receive the same without the ID, which is in the header webhook-id.`}
      onClose={onClose}
    >
      <p className="row">
        <Time at={timestamp} short={false} />
        <span className="row">
          <code>{id}</code> <CopyButton text={id} subject={t`Event ID`} />
        </span>
        <DocsOfEvent name={name} />
      </p>
      <CodeBlock title={t`Event`} text={JSON.stringify(event, null, 2)} />
      <div className="actions">
        <Button kind="primary" onClick={onClose}>
          {t`Close`}
        </Button>
      </div>
    </Dialog>
  );
}

export function DocsOfEvent({ name }: { name: string }) {
  return <a href={`${docsUrl}#tag/events/webhook/${name}`}>{t`Documentation of ${name}`}</a>;
}
