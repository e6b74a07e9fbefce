import type { Certificate } from '../certificates/certificate.ts'
import { describe } from '../certificates/certificate-facts.ts'

/** Why a chain was not accepted: a code for machines, a sentence for people, what would help, and which certificate it concerns. */
export type Refusal = {
  readonly code: string
  readonly text: string
  readonly fix: string
  readonly certificate: Certificate | undefined
}

/** Makes a refusal about one certificate. */
export const refusal = (code: string, certificate: Certificate | undefined, text: string, fix: string): Refusal => ({
  code,
  text,
  fix,
  certificate,
})

/** A refusal in one line: which certificate, and why. */
export const refusalText = ({ certificate, text }: Refusal): string =>
  certificate === undefined ? text : `${describe(certificate)}: ${text}`

/**
 * How much a refusal explains when several paths were tried: the further a path got, the more likely it is the one that
 * was meant to be taken. Codes not listed lie between.
 */
const weights: ReadonlyMap<string, number> = new Map([
  ['no-issuer', 0],
  ['signature', 1],
  ['limit', 9],
  ['policies', 8],
  ['name-constraints', 7],
  ['path-length', 6],
])

const weightOf = ({ code }: Refusal): number => weights.get(code) ?? 5

/** The refusal to show first. */
export const mostTelling = (refusals: readonly Refusal[]): Refusal | undefined =>
  refusals.reduce<Refusal | undefined>(
    (best, each) => (best === undefined || weightOf(each) > weightOf(best) ? each : best),
    undefined,
  )
