import type { Instant } from '../../../../kernel/clock.ts'
import type { Deps } from '../../../../kit/deps.ts'

/** Prefixes let people and log scanners tell tokens apart. */
const servicePrefix = 'hfs.'

/** What a batch token begins with. */
export const batchPrefix = 'hfb.'

type TextDeps = Pick<Deps, 'ids' | 'clock'>

/** In the order of their character codes, so that texts sort as the numbers do. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const markLength = 7

/**
 * The time in seven letters and digits that sort by it. Accessors and hashes begin with it, so that tokens made
 * together are neighbours in every index: a commit of many logins then writes a few pages instead of two for each.
 */
export function timeMark(at: Instant): string {
  let mark = ''
  for (let rest = at; mark.length < markLength; rest = Math.floor(rest / 62) as Instant) mark = digits[rest % 62] + mark
  return mark
}

/** True for the text of a token that carries its own record. */
export const isBatchText = (text: string): boolean => text.startsWith(batchPrefix)

/** The text of a new token: the prefix of its kind, when it was made, and 148 random bits. */
export const newTokenText = ({ ids, clock }: TextDeps): string =>
  `${servicePrefix}${timeMark(clock.now())}${ids.text(25)}`

/** A name for a token that gives no access: when it was made, and 101 random bits. */
export const newAccessor = ({ ids, clock }: TextDeps): string => `${timeMark(clock.now())}${ids.text(17)}`

const generatedPattern = /^hfs\.([0-9A-Za-z]{7})[0-9A-Za-z]{25}$/

/** The keyed hash under which a token is stored; of its text only the time is kept. */
export const tokenId = (deps: Pick<Deps, 'keyring'>, text: string): string =>
  `${generatedPattern.exec(text)?.[1] ?? ''}${deps.keyring.keyedHash('token', text)}`
