/** The trigger that starts a workflow on an event: a REST hook, so events arrive immediately, without polling. */
import { companyField, templateUrl } from './requests.js';

const choices = {
  'collaborator.created': 'A person was added',
  'collaborator.updated': 'A profile was changed',
  'collaborator.status_changed': 'A status was changed',
  'collaborator.role_changed': 'A role was changed',
  'collaborator.deleted': 'A person was deleted',
  'collaborator.restored': 'A person was restored',
  'collaborator.invitation_accepted': 'An invitation was accepted',
  'document.uploaded': 'A document was uploaded',
  'document.deleted': 'A document was deleted',
  'import.completed': 'An import was completed',
  'collaborator.*': 'Any event of a person',
  '*': 'Any event',
};

const forCompany = { 'X-Company-Id': '{{bundle.inputData.company_id}}' };

export const event = {
  key: 'event',
  noun: 'Event',
  display: { label: 'New Event', description: 'Triggers on an event of a company, such as a new person.' },
  operation: {
    type: 'hook',
    inputFields: [companyField, { key: 'event', label: 'Event', required: true, choices }],
    performSubscribe: {
      method: 'POST',
      url: templateUrl('/v1/webhooks/perform-subscribe'),
      headers: forCompany,
      body: { target_url: '{{bundle.targetUrl}}', event: '{{bundle.inputData.event}}' },
    },
    performUnsubscribe: {
      method: 'POST',
      url: templateUrl('/v1/webhooks/perform-unsubscribe'),
      headers: forCompany,
      body: { id: '{{bundle.subscribeData.id}}' },
    },
    // Zapier gets the flat payload format, without nested objects or lists.
    perform: (_z, bundle) => [bundle.cleanedRequest],
    performList: {
      url: templateUrl('/v1/webhooks/perform-list'),
      headers: forCompany,
      params: { event: '{{bundle.inputData.event}}' },
    },
    sample: {
      id: '0199a3c4-52b7-7f04-a6c3-9d1e8b5f2c46',
      event: 'collaborator.created',
      event_type: 'CollaboratorCreated',
      timestamp: '2026-03-02T09:15:00.027Z',
      collaborator_id: '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30',
      name: 'João Pedro Nogueira',
      email: 'joao.nogueira@verdelog.example',
      status: 'pending',
    },
  },
};
