/** Radio buttons of the export form. */
interface OptionsProps<Value extends string> {
  name: 'kind' | 'format' | 'delimiter';
  names(): Record<Value, string>;
  legend: string;
  values: readonly Value[];
  chosen: Value;
  onChange(value: Value): void;
}

export function Options<Value extends string>({ name, names, legend, values, chosen, onChange }: OptionsProps<Value>) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value} className="check">
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChange(value)} />
          {names()[value]}
        </label>
      ))}
    </fieldset>
  );
}
