/** Shared by all requests of the app. */

/** The URL of an API path, for declarative requests, whose placeholders Zapier replaces. */
export const templateUrl = (path) => `{{process.env.BASE_URL}}${path}`;

/** The URL of an API path, for requests sent by code. */
export const requestUrl = (path) => `${process.env.BASE_URL}${path}`;

/** Adds the access token to each request. */
export function addToken(request, _z, bundle) {
  if (bundle.authData?.access_token) request.headers.authorization = `Bearer ${bundle.authData.access_token}`;
  return request;
}

/** Throws the API's error message instead of the raw body. Leaves 401 to Zapier, which then refreshes the token. */
export function throwApiErrors(response, z) {
  if (response.status < 400 || response.status === 401) return response;
  const { error = 'error', message = response.content, details } = response.data ?? {};
  const messages = Object.entries(details ?? {}).flatMap(([field, list]) =>
    Array.isArray(list) ? list.map((each) => `${field}: ${each.message}`) : [],
  );
  throw new z.errors.Error([message, ...messages].join(' '), error, response.status);
}

/** The company of an action or trigger, because a person may belong to several. */
export const companyField = {
  key: 'company_id',
  label: 'Company',
  type: 'string',
  required: true,
  dynamic: 'company.id.name',
};
