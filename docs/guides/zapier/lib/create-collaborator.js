/** The action that adds a person. */
import { companyField, requestUrl } from './requests.js';

const fields = [
  { key: 'name', label: 'Full Name', required: true },
  { key: 'email', label: 'Work Email', required: true },
  { key: 'position', label: 'Job Title', required: true },
  { key: 'department', label: 'Department', required: true },
  { key: 'phone', label: 'Phone' },
  { key: 'hire_date', label: 'First Day', type: 'datetime', helpText: 'The time and time zone are ignored.' },
  { key: 'location', label: 'Location' },
];

export const createCollaborator = {
  key: 'create_collaborator',
  noun: 'Collaborator',
  display: { label: 'Create Collaborator', description: 'Adds a person to a company.' },
  operation: {
    inputFields: [companyField, ...fields],
    async perform(z, { inputData }) {
      const { data } = await z.request({
        method: 'POST',
        url: requestUrl('/v1/collaborators'),
        headers: { 'X-Company-Id': inputData.company_id },
        body: person(inputData),
      });
      return data;
    },
    sample: {
      id: '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30',
      name: 'João Pedro Nogueira',
      email: 'joao.nogueira@verdelog.example',
      position: 'Route Planner',
      department: 'Field Operations',
      status: 'pending',
      role: 'employee',
      hire_date: '2026-03-02',
    },
  },
};

/**
 * The request body. Omits empty fields, because "" isn't a valid phone number, and shortens Zapier's dates, which have a time and
 * zone, to the `YYYY-MM-DD` that the API accepts.
 */
function person(inputData) {
  const given = fields.map(({ key }) => [key, inputData[key]]).filter(([, value]) => value != null && value !== '');
  const body = Object.fromEntries(given);
  if (body.hire_date) body.hire_date = String(body.hire_date).slice(0, 'YYYY-MM-DD'.length);
  return body;
}
