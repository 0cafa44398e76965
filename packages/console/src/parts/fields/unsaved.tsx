/** Leaving a form: confirms before unsaved changes are discarded. */
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { Confirm } from '../dialog.tsx';
import { t } from '../translate.ts';

/** Saving and deleting leave with `useLeave`, which asks nothing. */
export function Unsaved({ isDirty, busy }: { isDirty: boolean; busy: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  useEffect(() => {
    if (status === 'blocked' && !isDirty) reset(); // saved meanwhile
  }, [status, isDirty, reset]);
  return (
    <Confirm
      open={status === 'blocked'}
      title={busy ? t`Leave while saving?` : t`Discard your changes?`}
      about={
        busy
          ? t`Your changes are being saved. If you leave now and that fails, they are lost.`
          : t`This form has changes that aren't saved.`
      }
      actionLabel={busy ? t`Leave` : t`Discard changes`}
      danger={!busy}
      busy={false}
      error={null}
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
    />
  );
}

/** Whether the user is still on this screen, for the end of a request. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}

/** Navigates once an action of this screen is done, unless the user has left it in the meantime. */
export function useLeave(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate();
  const isHere = useIsHere();
  return useCallback(
    async (to) => (isHere.current ? navigate({ ...to, ignoreBlocker: true }) : undefined),
    [navigate, isHere],
  );
}
