/**
 * Whether no date or number in a form is half-typed, and none is missing that the browser requires. A half-typed one has no value,
 * which would clear what is stored. The field then asks to complete it.
 */
export function isComplete(form: EventTarget | null | undefined): boolean {
  const inputs = form instanceof Element ? [...form.querySelectorAll('input')] : [];
  const incomplete = inputs.filter(({ validity }) => validity.badInput || validity.valueMissing);
  for (const input of incomplete) input.checkValidity(); // sends `invalid` to its field
  incomplete[0]?.focus();
  return incomplete.length === 0;
}
