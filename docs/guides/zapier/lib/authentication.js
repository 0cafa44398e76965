/**
 * OAuth 2.0 with PKCE. Zapier generates the verifier and adds the challenge to the authorization request. Set BASE_URL, CLIENT_ID,
 * and CLIENT_SECRET with `zapier-platform env:set`.
 */
const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
const client = { client_id: '{{process.env.CLIENT_ID}}', client_secret: '{{process.env.CLIENT_SECRET}}' };

export const authentication = {
  type: 'oauth2',
  oauth2Config: {
    authorizeUrl: {
      url: '{{process.env.BASE_URL}}/oauth/authorize',
      params: {
        client_id: '{{process.env.CLIENT_ID}}',
        response_type: 'code',
        state: '{{bundle.inputData.state}}',
        redirect_uri: '{{bundle.inputData.redirect_uri}}',
      },
    },
    getAccessToken: {
      method: 'POST',
      url: '{{process.env.BASE_URL}}/oauth/token',
      headers: form,
      body: {
        grant_type: 'authorization_code',
        ...client,
        code: '{{bundle.inputData.code}}',
        redirect_uri: '{{bundle.inputData.redirect_uri}}',
        code_verifier: '{{bundle.inputData.code_verifier}}',
      },
    },
    // Each refresh returns a new refresh token too; Zapier stores both.
    refreshAccessToken: {
      method: 'POST',
      url: '{{process.env.BASE_URL}}/oauth/token',
      headers: form,
      body: { grant_type: 'refresh_token', ...client, refresh_token: '{{bundle.authData.refresh_token}}' },
    },
    enablePkce: true,
    autoRefresh: true,
    // offline_access requests a refresh token.
    scope: 'profile offline_access collaborators:read collaborators:write webhooks:manage',
  },
  test: { url: '{{process.env.BASE_URL}}/auth/user' },
  connectionLabel: '{{name}} ({{email}})',
};
