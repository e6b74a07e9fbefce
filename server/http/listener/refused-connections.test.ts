import { expect, test } from 'vitest'
import { recordingLog } from '../../../test/support/recording-log.ts'
import { createRefusalReporter } from './refused-connections.ts'

test('refused connections: the first is logged at once, later ones as one count per minute', () => {
  const { log, text } = recordingLog()
  let now = 5_000
  const refused = createRefusalReporter({ log, clock: { monotonic: () => now } }, { listener: 'https', limit: 2 })
  const lines = () => text().split('\n').filter(Boolean)
  refused()
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ listener: 'https', limit: 2, refused: 1 })
  for (let more = 0; more < 500; more++) refused()
  expect(lines()).toHaveLength(1)
  now += 60_000
  refused()
  expect(lines()).toHaveLength(2)
  expect(JSON.parse(lines()[1] ?? '')).toMatchObject({ refused: 501 })
})
