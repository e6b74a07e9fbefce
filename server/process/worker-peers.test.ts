import { expect, test } from 'vitest'
import { Hearing } from '../kernel/siblings.ts'
import { peersOf } from './worker-peers.ts'

test('peers: a process hears the others and not itself', () => {
  const hearing = new Hearing()
  const sibling = (number: number) =>
    peersOf({
      number,
      broadcast: ({ name, kept }, payload) => hearing.hear({ topic: name, kept, payload }),
      onBroadcast: (topic, react) => hearing.onBroadcast(topic, react),
    })
  const heard: string[] = []
  const [first, second] = [sibling(1), sibling(2)]
  first.on('seal', (payload) => heard.push(`first hears ${payload}`))
  const deaf = second.on('seal', (payload) => heard.push(`second hears ${payload}`))
  first.broadcast('seal', 'a')
  second.broadcast('seal', 'b')
  deaf()
  first.broadcast('seal', 'c')
  expect(heard).toEqual(['second hears a', 'first hears b'])
})
