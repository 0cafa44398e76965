/** Webhook receivers of the demo company: one that works, one that is failing, and one that is gone. */
import { addWebhook } from '../../../src/product/webhooks/subscriptions/create-webhook.ts';
import { createWebhookSettings } from '../../../src/product/webhooks/subscriptions/webhook-settings.ts';
import { accounts } from './demo-company.ts';
import { type Chapter, daysAgo, type Step } from './month-chapter.ts';
import { receiverPaths } from './receivers.ts';

const subscriptions = [
  { path: receiverPaths.planner, description: 'Shift planner', events: ['collaborator.*'] },
  {
    path: receiverPaths.payroll,
    description: 'Payroll bridge',
    events: ['collaborator.updated', 'collaborator.status_changed', 'document.uploaded', 'collaborator.invited'],
    headers: { 'X-Payroll-Plant': 'campinas' },
  },
  { path: receiverPaths.badges, description: 'Badge printer', events: ['collaborator.*', 'import.completed'] },
];

export function webhookSteps({ world, receivers }: Chapter): Step[] {
  const settings = createWebhookSettings(world.config);
  return [
    {
      agoMin: daysAgo(25, 9, 40),
      async run() {
        receivers.broken.badges = false;
        receivers.broken.payroll = false;
        const admin = world.person(accounts.admin);
        for (const { path, ...subscription } of subscriptions) {
          const webhook = { ...subscription, url: receivers.url + path, payload_format: 'envelope' as const };
          const { row } = await world.tenant.transaction((tx) =>
            addWebhook(tx, settings, { ...webhook, created_by: admin.user_id }),
          );
          world.audit(admin, 'createWebhook', { type: 'webhook', id: row.id });
        }
      },
    },
    {
      agoMin: daysAgo(9, 23, 59),
      async run() {
        await world.delivered();
        receivers.broken.badges = true;
      },
    },
    {
      agoMin: daysAgo(3, 7),
      async run() {
        await world.delivered();
        receivers.broken.payroll = true;
      },
    },
  ];
}
