/** The other processes of this node that share its ports. */
export type Peers = {
  /** Which of them this process is, counted from 1; the same after a restart. */
  readonly number: number
  /** True if there are no others. */
  readonly isAlone: boolean
  /** Tells every other process; nobody else is listening when there is only one. */
  broadcast(topic: string, payload: unknown): void
  /** Listens to what the others tell; returns a function that stops it. */
  on(topic: string, listener: (payload: unknown) => void): () => void
  /** Asks every other process; by their numbers come the answers of those that gave one in time. */
  ask(topic: string, withinMs: number): Promise<ReadonlyMap<number, unknown>>
  /** Answers what the others ask, with plain data. Who cannot gives undefined. */
  answer(topic: string, give: () => Promise<unknown>): void
}

/** A node of one process. */
export const noPeers: Peers = {
  number: 1,
  isAlone: true,
  broadcast: () => undefined,
  on: () => () => undefined,
  ask: async () => new Map(),
  answer: () => undefined,
}
