/** Preview of the field in a person's form. */
import { useState } from 'react';
import { CustomInput } from '../../parts/fields/custom-input.tsx';
import { type CustomInputValue, inputValueOf } from '../../parts/fields/custom-values.ts';
import { t } from '../../parts/translate.ts';
import type { FieldInputs } from './field-inputs.ts';

export function Preview({ inputs }: { inputs: FieldInputs }) {
  const { type, label, description } = inputs;
  const [typed, setTyped] = useState<{ type: string; value: CustomInputValue }>();
  const value = typed?.type === type ? typed.value : inputValueOf({ type }, null);
  const named = { ...label, default: label.default || t`Your field` };
  return (
    <section className="field-preview" aria-labelledby="preview">
      <p id="preview" className="quiet">
        {t`Preview`}
      </p>
      <CustomInput
        field={{ ...inputs, label: named, description: description || null }}
        value={value}
        onChange={(to) => setTyped({ type, value: to })}
      />
    </section>
  );
}
