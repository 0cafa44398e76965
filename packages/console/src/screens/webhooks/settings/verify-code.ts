/** Verification functions, verbatim from the receiver guide, which tests run. */
import go from '../../../../../../docs/webhooks/verify.go?raw';
import php from '../../../../../../docs/webhooks/verify.php?raw';
import python from '../../../../../../docs/webhooks/verify.py?raw';
import shell from '../../../../../../docs/webhooks/verify.sh?raw';
import typescript from '../../../../../../docs/webhooks/verify.ts?raw';
import type { Code } from '../trial.ts';

export const codes: Record<Code, { name: string; file: string; text: string }> = {
  typescript: { name: 'TypeScript (Node)', file: 'verify.ts', text: typescript },
  python: { name: 'Python', file: 'verify.py', text: python },
  php: { name: 'PHP', file: 'verify.php', text: php },
  go: { name: 'Go', file: 'verify.go', text: go },
  shell: { name: 'Shell', file: 'verify.sh', text: shell },
};
