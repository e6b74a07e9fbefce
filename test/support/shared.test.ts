import { describe, expect, test } from 'vitest'
import { shared } from './shared.ts'

describe('shared', { shuffle: false }, () => {
  const events: string[] = []
  const make = async (name: string) => {
    events.push(`make ${name}`)
    return { name }
  }

  describe('in a block', () => {
    const first = shared(
      () => make('first'),
      async ({ name }) => void events.push(`end ${name}`),
    )
    const second = shared(() => make(`${first.name} and second`))
    let readTooEarly: unknown
    try {
      readTooEarly = first.name
    } catch (error) {
      readTooEarly = error
    }

    test('shared: reading a thing while the block is being described is an error', () => {
      expect(readTooEarly).toEqual(new Error("'name' of something shared was read outside of tests and hooks"))
    })

    test('shared: things are made before the tests in the order of the text, and one may use another', () => {
      expect(events).toEqual(['make first', 'make first and second'])
      expect({ ...second }).toEqual({ name: 'first and second' })
    })

    test('shared: the next test uses the same things', () => {
      expect([first.name, events.length]).toEqual(['first', 2])
    })
  })

  test('shared: a thing ends after the last test of its block', () => {
    expect(events.at(-1)).toBe('end first')
  })
})
