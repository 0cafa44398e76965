/** Edit conflict: shows both versions field by field, and lets the user choose. */
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client/client.ts';
import { Button } from '../button.tsx';
import { t } from '../translate.ts';

interface ConflictProps {
  /** Fields changed by either side, formatted; an empty string means no value. */
  fields: readonly { name: string; label: string; current: ReactNode; edited: ReactNode }[];
  onSaveOwn(): void;
  onKeepCurrent(): void;
}

export function Conflict({ fields, onSaveOwn, onKeepCurrent }: ConflictProps) {
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{t`This changed while you were editing`}</p>
      <p>{t`Nothing was saved. Compare both versions and choose one.`}</p>
      <div className="table full">
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Current version`}</th>
              <th scope="col">{t`Your version`}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, label, current, edited }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td data-name={t`Current version`}>{current || '–'}</td>
                <td data-name={t`Your version`}>{edited || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="row">
        <Button kind="primary" onClick={onSaveOwn}>
          {t`Save my version`}
        </Button>
        <Button onClick={onKeepCurrent}>{t`Keep the current version`}</Button>
      </div>
    </div>
  );
}

/** The record has changed since it was loaded. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** Form fields that differ from the initial values on either side. */
export function differingFields<Inputs extends object>(
  original: Inputs,
  current: Inputs,
  edited: Inputs,
): (keyof Inputs & string)[] {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return (Object.keys(original) as (keyof Inputs & string)[]).filter(
    (name) => !isSame(current[name], original[name]) || !isSame(edited[name], original[name]),
  );
}
