/** Lines for a shell that exchange the code of a trial, and use the token once. The secret is read from the environment. */
import { service_url } from '../../api/sign-in.ts';
import { try_uri } from '../../api/trial.ts';

/** All values are of this service: ids, base64url and its own address, in which a shell sees nothing special. */
export function exchangeLines(client_id: string, code: string, verifier: string): string {
  return `curl -sS '${service_url}/oauth/token' -u "${client_id}:$CLIENT_SECRET" \\
  -d grant_type=authorization_code \\
  -d code='${code}' \\
  -d code_verifier='${verifier}' \\
  --data-urlencode redirect_uri='${try_uri}' > tokens.json

export APP_TOKEN=$(sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/' tokens.json)
curl -sS '${service_url}/auth/user' -H "Authorization: Bearer $APP_TOKEN"
`;
}
