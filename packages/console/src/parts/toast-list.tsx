import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { t } from './translate.ts';

const visibleMs = 6_000;
const maxToasts = 10;
/** By default, each toast is a dialog to assistive technology. */
const semantics = { role: 'group', 'aria-modal': undefined };

interface ToastListProps {
  takeTexts(): string[];
  /** Calls the listener when there is a new text. @returns unsubscribes */
  onToast(listener: () => void): () => void;
}

export function ToastList(props: ToastListProps) {
  return (
    <Toast.Provider timeout={visibleMs} limit={maxToasts}>
      <Toast.Portal>
        <Toast.Viewport className="toasts" aria-label={t`Recent messages`}>
          <Items {...props} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Items({ takeTexts, onToast }: ToastListProps) {
  const { toasts, add } = Toast.useToastManager();
  useEffect(() => {
    const addAll = () => {
      for (const description of takeTexts()) add({ description });
    };
    addAll();
    return onToast(addAll);
  }, [add, takeTexts, onToast]);
  return toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className="toast" {...semantics}>
      <Toast.Description />
      <Toast.Close className="button quiet" aria-hidden={false}>{t`Close`}</Toast.Close>
    </Toast.Root>
  ));
}
