// Webhook operations.
import type { Client } from '../client.ts';
import type { Receivers, Subscription } from '../receivers.ts';
import type { Staff } from '../staff.ts';

/** Total of all companies. */
const maxSubscriptions = 60;

/** Every other client subscribes once. */
export function subscriptionOperations({ number, client }: Staff, receivers: Receivers) {
  let hasSubscribed = false;
  return {
    async subscribe() {
      if (hasSubscribed || number % 2 === 0 || receivers.all.length > maxSubscriptions) return;
      hasSubscribed = true;
      const subscription = receivers.add(client.company_id, 'good', ['collaborator.*']);
      await subscribe(client, subscription);
    },
  };
}

export async function subscribe(client: Client, subscription: Subscription): Promise<void> {
  const json = { url: subscription.url, events: subscription.events };
  const response = await client.send('subscribe', { method: 'POST', path: '/v1/webhooks', json });
  if (response?.status !== 201) return;
  subscription.id = response.body.id;
  subscription.secret = response.body.secret;
  subscription.since = new Date();
}
