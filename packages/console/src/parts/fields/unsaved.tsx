/** Confirms before leaving a form with unsaved changes. */
import { useBlocker } from '@tanstack/react-router';
import { Confirm } from '../dialog.tsx';
import { t } from '../translate.ts';

/** Saving and deleting navigate with `ignoreBlocker`. */
export function Unsaved({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <Confirm
      open={status === 'blocked'}
      title={t`Discard your changes?`}
      about={t`This form has changes that aren't saved.`}
      actionLabel={t`Discard changes`}
      danger
      busy={false}
      error={null}
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
    />
  );
}
