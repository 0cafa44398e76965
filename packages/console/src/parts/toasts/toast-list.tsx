import { Toast } from '@base-ui/react/toast';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../translate.ts';

const visibleMs = 6_000;
const maxToasts = 10;
/** By default, each toast is a dialog to assistive technology. */
const semantics = { role: 'group', 'aria-modal': undefined };

export interface Message {
  text: string;
  /** Where an error happened: the toast links to it, and stays until it is closed. */
  errorUrl?: string | undefined;
}

interface ToastListProps {
  takeMessages(): Message[];
  /** Calls the listener when there is a new message. @returns unsubscribes */
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

function Items({ takeMessages, onToast }: ToastListProps) {
  const { toasts, add, close } = Toast.useToastManager();
  const { history } = useRouter();
  useEffect(() => {
    const addError = ({ text, errorUrl }: Message) => {
      const onClick = () => {
        close(text);
        history.push(errorUrl!);
      };
      add({
        id: text,
        description: text,
        type: 'error',
        timeout: 0,
        ...(errorUrl !== history.location.href && { actionProps: { children: t`Go back`, onClick } }),
      });
    };
    const addAll = () => {
      for (const message of takeMessages()) {
        if (message.errorUrl === undefined) add({ description: message.text });
        else addError(message);
      }
    };
    addAll();
    return onToast(addAll);
  }, [add, close, history, takeMessages, onToast]);
  return toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className="toast" {...semantics}>
      <Toast.Description />
      <Toast.Action className="button" />
      <Toast.Close className="button quiet" aria-hidden={false}>{t`Close`}</Toast.Close>
    </Toast.Root>
  ));
}
