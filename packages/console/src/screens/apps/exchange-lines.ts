/** Lines for a shell that exchange the code of a trial, and use the token once. The secret is read from the environment. */
import { serviceUrl } from '../../api/sign-in.ts';
import { tryUri } from '../../api/trial.ts';

/** All values are of this service: ids, base64url and its own address, in which a shell sees nothing special. */
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
