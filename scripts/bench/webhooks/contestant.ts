// What a measurement of webhooks needs of whoever sends them: this service, and its peers.

/** Of an event: the receiver finds it in the body. */
export type Marker = number;

export interface Contestant {
  readonly name: string;
  /** The only ones from now on. They get every event; nothing of earlier events is left. No worker runs meanwhile. */
  subscribe(urls: readonly string[]): Promise<void>;
  /** Tells one event by the API, and ends when that has answered. */
  publish(marker: Marker): Promise<void>;
  /** Writes one event into the database, and ends when that is committed. Undefined for who has no such thing. */
  commit?(marker: Marker): Promise<void>;
  /** Many at once, to be sent later. */
  publishMany(markers: readonly Marker[]): Promise<void>;
  /**
   * Begins a worker, and does not wait for it.
   * @returns the name of its process
   */
  startWorker(): string;
  /** Many failed deliveries that wait for their retry. */
  waitingRetries?(count: number): Promise<void>;
}
