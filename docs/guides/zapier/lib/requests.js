/** What every request of the app has in common. */

/** Where a path of the API is: for requests that are only described, which Zapier fills in, and for those that code sends. */
export const described = (path) => `{{process.env.BASE_URL}}${path}`;
export const sent = (path) => `${process.env.BASE_URL}${path}`;

/** Sends the access token with every request; the company goes with each that acts for one. */
export function addToken(request, _z, bundle) {
  if (bundle.authData?.access_token) request.headers.authorization = `Bearer ${bundle.authData.access_token}`;
  return request;
}

/** Shows people what the service says, instead of the bare body. A 401 is left to Zapier, which refreshes the token. */
export function explainRefusal(response, z) {
  if (response.status < 400 || response.status === 401) return response;
  const { error = 'error', message = response.content, details } = response.data ?? {};
  const faults = Object.entries(details ?? {}).flatMap(([field, list]) =>
    Array.isArray(list) ? list.map((fault) => `${field}: ${fault.message}`) : [],
  );
  throw new z.errors.Error([message, ...faults].join(' '), error, response.status);
}

/** The company that an action or trigger acts for: one person may belong to several. */
export const companyField = {
  key: 'company_id',
  label: 'Company',
  type: 'string',
  required: true,
  dynamic: 'company.id.name',
};
