// Interface of the webhook senders to compare: this service and its peers.

/** Event marker in the body, which the receiver extracts. */
export type Marker = number;

export interface Candidate {
  readonly name: string;
  /** Replaces all subscriptions, which receive every event, and drops earlier events. No worker is running. */
  subscribe(urls: readonly string[]): Promise<void>;
  /** Publishes an event through the API, and resolves with the response. */
  publish(marker: Marker): Promise<void>;
  /** Writes an event to the database, and resolves on commit. Undefined if not supported. */
  commit?(marker: Marker): Promise<void>;
  publishMany(markers: readonly Marker[]): Promise<void>;
  /** Starts a worker without waiting for it. @returns the name of its process */
  startWorker(): string;
  /** Creates many failed deliveries that wait for a retry. */
  waitingRetries?(count: number): Promise<void>;
}
