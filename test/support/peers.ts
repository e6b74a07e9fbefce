import { EventEmitter } from 'node:events'
import type { Peers } from '../../server/kit/peers.ts'

/** A node whose processes are apps of one test. Their messages are copied, as they are between processes. */
export function nodeOfApps(): (number: number) => Peers {
  const told = new EventEmitter()
  const answerers = new Map<string, Map<number, () => Promise<unknown>>>()
  const said = new Map<string, unknown>()
  const remember = (topic: string, number: number, payload: unknown): unknown => {
    if (payload !== undefined) said.set(`${topic} ${number}`, structuredClone(payload))
    return structuredClone(said.get(`${topic} ${number}`))
  }
  return (number) => ({
    isAlone: false,
    number,
    broadcast: (topic, payload) => void told.emit(topic, number, structuredClone(payload)),
    on: (topic, listener) => {
      const hear = (from: number, payload: unknown): void => {
        if (from !== number) listener(payload)
      }
      told.on(topic, hear)
      return () => void told.off(topic, hear)
    },
    ask: async (topic, { own }) => {
      remember(topic, number, own)
      const others = [...(answerers.get(topic) ?? [])].filter(([other]) => other !== number)
      return new Map(
        await Promise.all(others.map(async ([other, give]) => [other, remember(topic, other, await give())] as const)),
      )
    },
    answer: (topic, give) => {
      const ofTopic = answerers.get(topic) ?? new Map<number, () => Promise<unknown>>()
      answerers.set(topic, ofTopic.set(number, give))
    },
  })
}
