import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';

interface DangerPanelProps {
  title: string;
  /** Description shown in the panel. */
  description: string;
  actionLabel: string;
  /** Title of the confirmation dialog. */
  question?: string;
  /** The consequence. */
  about: string;
  /** Performs the action and leaves the screen. */
  perform(): Promise<unknown>;
}

/** Panel with a destructive action and its confirmation. */
export function DangerPanel({
  title,
  description,
  actionLabel,
  question = actionLabel,
  about,
  perform,
}: DangerPanelProps) {
  const id = useId();
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending, error } = useMutation({ mutationFn: perform });
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{description}</p>
      <Button kind="danger" onClick={() => setConfirming(true)}>
        {actionLabel}
      </Button>
      <Confirm
        open={isConfirming}
        title={question}
        about={about}
        actionLabel={actionLabel}
        danger
        busy={isPending}
        error={error}
        onClose={() => setConfirming(false)}
        onConfirm={() => mutate()}
      />
    </section>
  );
}
