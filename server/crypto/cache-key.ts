import { hash } from 'node:crypto'
import { runAfterPendingInput } from '../kernel/event-loop.ts'

let last = { text: '', key: '' }

const forget = (): void => {
  last = { text: '', key: '' }
}

/**
 * The name under which a cache keeps what belongs to a secret text, so that memory holds no list of such texts. It never
 * leaves the process, so a hash without a key is enough, at half the cost of one with. A text is often asked for several
 * times in a row, by one request or by several of one caller; it is remembered for no longer than a turn of the event loop.
 */
export function cacheKeyOf(text: string): string {
  if (text === '' || text !== last.text) {
    if (last.text === '') runAfterPendingInput(forget)
    last = { text, key: hash('sha256', text, 'base64url') }
  }
  return last.key
}
