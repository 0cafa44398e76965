/** Content negotiation: 406 if `Accept` excludes JSON. */
import Negotiator from 'negotiator';
import { say } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Step } from '../exchange.ts';
import { withoutParameters } from '../media-ranges.ts';

export const acceptJson: Step = ({ headers: { accept } }) => {
  if (accept === undefined || accept === '*/*') return;
  const negotiator = new Negotiator({ headers: { accept: withoutParameters(accept) } });
  if (negotiator.mediaType(['application/json'])) return;
  throw new Problem(406, 'not_acceptable', say`Responses are application/json; the Accept header refuses that.`);
};
