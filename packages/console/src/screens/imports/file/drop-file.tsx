import { useState } from 'react';
import type { Import, ImportOptions } from '../../../api/imports.ts';
import { Problem } from '../../../parts/errors/problem.tsx';
import { FilePicker } from '../../../parts/fields/file-picker.tsx';
import { size } from '../../../parts/format.ts';
import { t } from '../../../parts/translate.ts';
import { useCheck } from './use-check.ts';

/** The contract's limit. */
const maxBytes = 20_971_520;

interface DropFileProps {
  company: string;
  label: string;
  options: ImportOptions;
  /** The dry run that this file replaces. */
  before?: Import;
}

/** Takes a file of people and starts a dry run; shows errors of the file as a whole. */
export function DropFile({ company, label, options, before }: DropFileProps) {
  const { mutate, isPending, error, reset } = useCheck(company, before);
  const [tooLarge, setTooLarge] = useState<File>();
  const acceptFile = ([file]: File[]) => {
    reset();
    setTooLarge(undefined);
    if (!file) return;
    if (file.size > maxBytes) setTooLarge(file);
    else mutate({ file, options });
  };
  return (
    <>
      <FilePicker label={label} accept=".xlsx,.csv,.txt,.xls,.xlsb,.ods" busy={isPending} onFiles={acceptFile} />
      {tooLarge && (
        <p className="field-error" role="alert">
          {t`${tooLarge.name} is ${size(tooLarge.size)}. The limit is 20 MB: remove sheets and columns that aren't about people, or import it in parts.`}
        </p>
      )}
      {error && <Problem error={error} />}
    </>
  );
}
