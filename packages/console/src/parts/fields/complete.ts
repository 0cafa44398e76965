/**
 * Whether a form has no half-typed dates and numbers, and no empty required fields; otherwise, these fields show an error. To the
 * browser, a half-typed value is empty, so saving it would clear the stored one.
 */
export function isComplete(form: EventTarget | null | undefined): boolean {
  const inputs = form instanceof Element ? [...form.querySelectorAll('input')] : [];
  const incomplete = inputs.filter(({ validity }) => validity.badInput || validity.valueMissing);
  for (const input of incomplete) input.checkValidity(); // sends `invalid` to its field
  incomplete[0]?.focus();
  return incomplete.length === 0;
}
