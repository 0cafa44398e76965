/** Options of the company field. Hidden, because it isn't a trigger of its own. */
import { requestUrl } from './requests.js';

export const companies = {
  key: 'company',
  noun: 'Company',
  display: { label: 'Companies', description: 'The companies that the connected person belongs to.', hidden: true },
  operation: {
    type: 'polling',
    async perform(z) {
      const { data } = await z.request({ url: requestUrl('/auth/user') });
      return data.companies;
    },
    sample: { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', name: 'Verde Logística', role: 'admin' },
  },
};
