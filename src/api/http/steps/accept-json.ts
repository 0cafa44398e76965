/** Content negotiation: 406 if `Accept` excludes JSON. */
import Negotiator from 'negotiator';
import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { withoutParameters } from '../media-ranges.ts';
import type { Step } from '../request-context.ts';

export const acceptJson: Step = ({ headers: { accept } }) => {
  if (accept === undefined || accept === '*/*') return;
  const negotiator = new Negotiator({ headers: { accept: withoutParameters(accept) } });
  if (negotiator.mediaType(['application/json'])) return;
  throw new Problem(406, 'not_acceptable', t`Responses are application/json, which the Accept header excludes.`);
};
