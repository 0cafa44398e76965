/** Toasts: disappear by themselves, stay while hovered, and are announced to screen readers. */
import { Toast } from '@base-ui/react/toast';
import { t } from './translate.ts';

const visibleMs = 6_000;
const maxToasts = 10;
const manager = Toast.createToastManager();

/** @param text for example `Saved` */
export function toast(text: string): void {
  manager.add({ description: text });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} timeout={visibleMs} limit={maxToasts}>
      <Toast.Portal>
        <Toast.Viewport className="toasts" aria-label={t`Recent messages`}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** By default, each toast is a dialog to assistive technology. */
const semantics = { role: 'group', 'aria-modal': undefined };

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className="toast" {...semantics}>
      <Toast.Description />
      <Toast.Close className="button quiet" aria-hidden={false}>{t`Close`}</Toast.Close>
    </Toast.Root>
  ));
}
