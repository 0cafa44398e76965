/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const deactivationAdvice = () => ({
  gone: t`Check the URL before you re-enable it.`,
  client_error: t`Open the last delivery below to see the response. Fix your endpoint, then re-enable it.`,
  server_error: t`Open the last delivery below to see the response. Fix your endpoint, then re-enable it.`,
  network_error: t`Open the last delivery below to see the cause. Re-enable the endpoint when its host is reachable.`,
  backlog: t`Make your endpoint respond faster or subscribe to fewer events, then re-enable it.`,
  installation_suspended: t`It's re-enabled when an admin confirms the app.`,
  manual: t`Nothing is sent until someone re-enables it.`,
});

export const deliveryStatusNames = () => ({
  pending: t`Waiting`,
  retrying: t`Retrying`,
  delivering: t`Sending`,
  succeeded: t`Delivered`,
  failed: t`Failed`,
  cancelled: t`Canceled`,
});

export const deliveryErrorNames = () => ({
  dns: t`host not found`,
  connect_refused: t`connection refused`,
  connect_timeout: t`connection timed out`,
  tls: t`TLS handshake failed`,
  reset: t`connection reset`,
  protocol: t`invalid HTTP`,
  timeout: t`response timed out`,
  response_too_slow: t`response too slow`,
  redirect: t`redirect`,
  address_refused: t`address not allowed`,
  payload: t`payload couldn't be built`,
  interrupted: t`interrupted`,
});
