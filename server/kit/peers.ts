/** The other processes of this node that share its ports. */
export type Peers = {
  /** Which of them this process is, counted from 1; the same after a restart. */
  readonly number: number
  /** True if there are no others. */
  readonly isAlone: boolean
  /** Tells every other process; nobody else is listening when there is only one. */
  broadcast(topic: string, payload: unknown): void
  /** Listens to what the others send; returns a function that stops it. */
  on(topic: string, listener: (payload: unknown) => void): () => void
  /**
   * Asks every other process and returns the answers, by the number of their process. For one that does not answer in
   * time or has no answer now, what it last said to anybody on this topic since its start is returned.
   */
  ask(topic: string, question: Question): Promise<ReadonlyMap<number, unknown>>
  /** Says how to answer what the others ask: with plain data, or undefined for no answer. */
  answer(topic: string, give: () => Promise<unknown>): void
}

/** What a process says when it asks the others. */
export type Question = {
  /** What this process would answer. */
  readonly own: unknown
  readonly withinMs: number
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
