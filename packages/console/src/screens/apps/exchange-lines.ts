/** Shell commands that exchange the code of a test run and use the token once. The secret comes from an environment variable. */
import { serviceUrl } from '../../api/client/sign-in.ts';
import { tryUri } from '../../api/trial.ts';

/** Needs no quoting: all values are ids, base64url, and the service's own URL. */
export function exchangeLines(clientId: string, code: string, verifier: string): string {
  return `curl -sS '${serviceUrl}/oauth/token' -u "${clientId}:$CLIENT_SECRET" \\
  -d grant_type=authorization_code \\
  -d code='${code}' \\
  -d code_verifier='${verifier}' \\
  --data-urlencode redirect_uri='${tryUri}' > tokens.json

export APP_TOKEN=$(sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/' tokens.json)
curl -sS '${serviceUrl}/auth/user' -H "Authorization: Bearer $APP_TOKEN"
`;
}
