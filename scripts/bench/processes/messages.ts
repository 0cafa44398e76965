/** What the process that measures and its children tell each other. */

/** What one instance of the API does. */
export interface Load {
  requestsPerS: number;
  eventsPerS: number;
  signInsPerS: number;
  /** Among whom the requests are spread. */
  users: number;
  companies: string[];
}

export interface ChildOptions {
  role: 'api' | 'worker';
  /** How many processes of the service it stands for. */
  instances: number;
  url: string;
}

/** Since the child began. */
export interface ChildFigures {
  /** Notifications that reached its connections. */
  notified: number;
  cpuMs: number;
  memory_mb: number;
}
