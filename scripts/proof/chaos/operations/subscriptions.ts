// What a client does about webhooks.
import type { Client } from '../client.ts';
import type { Receivers, Subscription } from '../receivers.ts';
import type { Staff } from '../staff.ts';

/** In all companies together. */
const mostSubscriptions = 60;

/** Subscribes once; every other client does. */
export function subscriptionOperations({ number, client }: Staff, receivers: Receivers) {
  let hasSubscribed = false;
  return {
    async subscribe() {
      if (hasSubscribed || number % 2 === 0 || receivers.all.length > mostSubscriptions) return;
      hasSubscribed = true;
      const subscription = receivers.add(client.company_id, 'good', ['collaborator.*']);
      await subscribe(client, subscription);
    },
  };
}

/** Creates a subscription at the address that was made for it. */
export async function subscribe(client: Client, subscription: Subscription): Promise<void> {
  const json = { url: subscription.url, events: subscription.events };
  const answer = await client.send('subscribe', { method: 'POST', path: '/v1/webhooks', json });
  if (answer?.status !== 201) return;
  subscription.id = answer.body.id;
  subscription.secret = answer.body.secret;
  subscription.since = new Date();
}
