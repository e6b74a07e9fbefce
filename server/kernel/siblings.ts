/** Something the processes of one node tell each other. A kept topic's last word is repeated to processes that start later. */
export type Topic<Payload> = { readonly name: string; readonly kept: boolean; readonly payload?: Payload }

/** Names a topic and the type of what is said: `defineTopic<{ sealed: boolean }>('seal', { kept: true })`. */
export const defineTopic = <Payload>(name: string, { kept }: { kept: boolean }): Topic<Payload> => ({ name, kept })

/**
 * The processes that serve one node together. Everybody hears everything in the same order, the speaker included: who
 * changes state only on hearing ends in the same state as all others. What is said is copied, so it must be plain data.
 */
export type Siblings = {
  broadcast<Payload>(topic: Topic<Payload>, payload: Payload): void
  /** Calls `react` for every word on a topic, at once for the last one of a kept topic; returns how to stop that. */
  onBroadcast<Payload>(topic: Topic<Payload>, react: (payload: Payload) => void): () => void
}

/** One thing that was said. */
export type Word = { topic: string; kept: boolean; payload: unknown }

type React = (payload: unknown) => void

/** Hands words to those who listen, and remembers the last one of each kept topic. */
export class Hearing {
  private readonly listeners = new Map<string, Set<React>>()
  private readonly last = new Map<string, unknown>()

  /** Hands on a word. */
  hear({ topic, kept, payload }: Word): void {
    if (kept) this.last.set(topic, payload)
    for (const react of this.listeners.get(topic) ?? []) react(payload)
  }

  /** See `Siblings`. */
  onBroadcast<Payload>(topic: Topic<Payload>, react: (payload: Payload) => void): () => void {
    // Only `broadcast` with the same topic puts anything in here.
    const listener = react as React
    const listeners = this.listeners.get(topic.name) ?? new Set()
    this.listeners.set(topic.name, listeners.add(listener))
    if (this.last.has(topic.name)) listener(this.last.get(topic.name))
    return () => void listeners.delete(listener)
  }
}

/** A process on its own, which hears what it says. */
export function onlyChild(): Siblings {
  const hearing = new Hearing()
  return {
    broadcast: ({ name, kept }, payload) =>
      queueMicrotask(() => hearing.hear({ topic: name, kept, payload: structuredClone(payload) })),
    onBroadcast: (topic, react) => hearing.onBroadcast(topic, react),
  }
}
