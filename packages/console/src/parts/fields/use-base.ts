import { useEffect, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/** @returns the version that a form began with; without unsaved input, it follows the newest one */
export function useBase<Version, Inputs extends FieldValues>(
  { formState: { isDirty }, reset }: UseFormReturn<Inputs>,
  newest: Version,
  inputsOf: (version: Version) => Inputs,
): Version {
  const [base, setBase] = useState(newest);
  useEffect(() => {
    if (isDirty || base === newest) return;
    setBase(newest);
    reset(inputsOf(newest));
  }, [base, newest, isDirty, reset, inputsOf]);
  return base;
}
