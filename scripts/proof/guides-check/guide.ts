/** What a guide for a tool that others made is for the check. */
import type { DevelopmentService } from '../../run/development.ts';

export interface Guide {
  /** Names it on the command line. */
  name: string;
  /** What it is tried with. */
  tool: string;
  /** @param tools where the tool goes; there already */
  install(tools: string): Promise<void>;
  /**
   * @param who an admin who signs in
   * @returns what was done, for people, in lines
   * @throws what did not go as the guide says
   */
  check(tools: string, service: DevelopmentService, who: { email: string; password: string }): Promise<string[]>;
}
