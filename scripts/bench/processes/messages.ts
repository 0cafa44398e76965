/** Messages between the benchmark and its child processes. */

export interface Load {
  requestsPerS: number;
  eventsPerS: number;
  signInsPerS: number;
  /** Users that send the requests. */
  users: number;
  companies: string[];
}

export interface ChildOptions {
  role: 'api' | 'worker';
  instances: number;
  url: string;
}

export interface ChildFigures {
  /** Notifications received on its connections. */
  notified: number;
  cpuMs: number;
  memory_mb: number;
}
