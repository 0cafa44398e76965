/** Descriptions of failed attempts: one for every failure, and none for a success. */
import { contract } from '../../../src/contract/contract.ts';
import { describeFailure } from '../../../src/product/webhooks/deliveries/failure-messages.ts';

const { DeliveryErrorClass } = contract.components.schemas as Record<string, object>;
const classes = (DeliveryErrorClass as { 'x-extensible-enum': string[] })['x-extensible-enum'];

test('each class of the contract has a fitting description', () => {
  const words = classes.map((errorClass) => String(describeFailure({ status_code: null, error_class: errorClass })));
  expect(new Set(words).size).toBe(classes.length);
  for (const each of words) {
    expect(each).toMatch(/^[A-Z].{20,}\.$/);
    expect(each.length).toBeLessThanOrEqual(500);
    expect(each).not.toBe('The attempt failed.');
  }
});

test.each([100, 301, 400, 401, 404, 410, 418, 429, 500, 503, 599, 999])(
  'so has the status %d, which is named',
  (statusCode) => {
    const words = String(describeFailure({ status_code: statusCode, error_class: null }));
    expect(words).toMatch(new RegExp(`^The endpoint returned ${statusCode}: .+\\.$`));
    expect(words.length).toBeLessThanOrEqual(500);
  },
);

test.each([200, 202, 204, 299, null])('the status %s without an error has none', (statusCode) => {
  expect(describeFailure({ status_code: statusCode, error_class: null })).toBeNull();
});
