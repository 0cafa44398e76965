import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';

interface EndPanelProps {
  title: string;
  /** Description shown in the panel. */
  more: string;
  act: string;
  /** Title of the confirmation dialog. */
  question?: string;
  /** The consequence. */
  about: string;
  /** Performs the action and leaves the screen. */
  end(): Promise<unknown>;
}

/** Panel with a destructive action and its confirmation. */
export function EndPanel({ title, more, act, question = act, about, end }: EndPanelProps) {
  const id = useId();
  const [asking, setAsking] = useState(false);
  const { mutate, isPending, error } = useMutation({ mutationFn: end });
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{more}</p>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {act}
      </Button>
      <Confirm
        open={asking}
        title={question}
        about={about}
        act={act}
        danger
        busy={isPending}
        error={error}
        onClose={() => setAsking(false)}
        onConfirm={() => mutate()}
      />
    </section>
  );
}
