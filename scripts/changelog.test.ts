import { expect, test } from 'vitest'
import { joinChanges } from './changelog.ts'

test('changes are joined by kind, those that concern everybody first', () => {
  const fragments = ['fixed: One.\nadded: Two.\n', 'security: Three.\n', 'fixed: Four: five.', 'no change\n']
  expect(joinChanges(fragments)).toBe(
    '## Security\n\n- Three.\n\n## Added\n\n- Two.\n\n## Fixed\n\n- One.\n- Four: five.\n',
  )
})

test('no changes, no text', () => expect(joinChanges(['', 'Something else.'])).toBe(''))
