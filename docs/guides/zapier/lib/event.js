/** Starts a workflow when something happened: a REST hook, so it comes at once and nothing is asked again and again. */
import { companyField, described } from './requests.js';

const choices = {
  'collaborator.created': 'A person was added',
  'collaborator.updated': 'A profile was changed',
  'collaborator.status_changed': 'A status was changed',
  'collaborator.role_changed': 'A role was changed',
  'collaborator.deleted': 'A person was removed',
  'collaborator.restored': 'A person was restored',
  'collaborator.invitation_accepted': 'An invitation was accepted',
  'document.uploaded': 'A document was uploaded',
  'document.deleted': 'A document was removed',
  'import.completed': 'An import is done',
  'collaborator.*': 'Anything about a person',
  '*': 'Anything at all',
};

const forCompany = { 'X-Company-Id': '{{bundle.inputData.company_id}}' };

export const event = {
  key: 'event',
  noun: 'Event',
  display: { label: 'New Event', description: 'Triggers when something about the people of a company happens.' },
  operation: {
    type: 'hook',
    inputFields: [companyField, { key: 'event', label: 'Event', required: true, choices }],
    performSubscribe: {
      method: 'POST',
      url: described('/v1/webhooks/perform-subscribe'),
      headers: forCompany,
      body: { target_url: '{{bundle.targetUrl}}', event: '{{bundle.inputData.event}}' },
    },
    performUnsubscribe: {
      method: 'POST',
      url: described('/v1/webhooks/perform-unsubscribe'),
      headers: forCompany,
      body: { id: '{{bundle.subscribeData.id}}' },
    },
    // Events arrive flat: no objects or lists in them.
    perform: (_z, bundle) => [bundle.cleanedRequest],
    performList: {
      url: described('/v1/webhooks/perform-list'),
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
