/** Leaving a form: confirms before unsaved changes are discarded. */
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { Confirm } from '../dialog.tsx';
import { t } from '../translate.ts';

/** Saving and deleting leave with `useLeave`, which asks nothing. */
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

/** Navigates once an action of this screen is done, unless the user has left it in the meantime. */
export function useLeave(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(async (to) => (isHere.current ? navigate({ ...to, ignoreBlocker: true }) : undefined), [navigate]);
}
