/** Answers are JSON: 406 for a client whose `Accept` refuses that. */
import { say } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Step } from '../exchange.ts';

export const acceptJson: Step = ({ req, headers: { accept } }) => {
  if (accept === undefined || accept === '*/*' || req.accepts('application/json')) return;
  throw new Problem(406, 'not_acceptable', say`Answers are application/json; the Accept header refuses that.`);
};
