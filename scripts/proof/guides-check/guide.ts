/** Interface of a guide for a third-party tool. */
import type { DevelopmentService } from '../../run/development.ts';

export interface Guide {
  /** Name on the command line. */
  name: string;
  tool: string;
  /** @param tools target folder; exists already */
  install(tools: string): Promise<void>;
  /**
   * @param credentials credentials of an admin
   * @returns the completed steps, as lines
   * @throws when a step does not work as the guide says
   */
  check(
    tools: string,
    service: DevelopmentService,
    credentials: { email: string; password: string },
  ): Promise<string[]>;
}
