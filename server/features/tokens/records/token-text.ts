import type { Deps } from '../../../kit/deps.ts'

/** Prefixes that let people and log scanners tell tokens apart. */
export const servicePrefix = 'hfs.'
export const batchPrefix = 'hfb.'

/** True for the text of a token that carries its own record. */
export const isBatchText = (text: string): boolean => text.startsWith(batchPrefix)

/** A token text of 190 bits behind the prefix of its kind. */
export const newTokenText = (deps: Pick<Deps, 'ids'>): string => `${servicePrefix}${deps.ids.text(32)}`

/** Under which hash a token is stored; the text itself is kept nowhere. */
export const tokenId = (deps: Pick<Deps, 'keyring'>, text: string): string => deps.keyring.keyedHash('token', text)
