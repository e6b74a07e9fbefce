import { expect, test } from 'vitest'
import { mintCa, mintIntermediate, mintLeaf, type RawExtension } from '../../../test/support/certificates.ts'
import { readCertificate } from '../certificates/certificate.ts'
import * as der from '../der-writer.ts'
import { hasAcceptablePolicies } from './policies.ts'

const any = '2.5.29.32.0'
const [gold, silver, lead] = ['1.2.3.1', '1.2.3.2', '1.2.3.3']

const policies = (...oids: string[]): RawExtension => ({
  oid: '2.5.29.32',
  value: der.sequence(...oids.map((oid) => der.sequence(der.oid(oid)))),
})
const mapping = (from: string, to: string): RawExtension => ({
  oid: '2.5.29.33',
  value: der.sequence(der.sequence(der.oid(from), der.oid(to))),
})
const requireExplicit = (skip: number): RawExtension => ({
  oid: '2.5.29.36',
  critical: true,
  value: der.sequence(der.implicitTag(0, Buffer.from([skip]))),
})
const inhibitMapping = (skip: number): RawExtension => ({
  oid: '2.5.29.36',
  critical: true,
  value: der.sequence(der.implicitTag(0, Buffer.from([0])), der.implicitTag(1, Buffer.from([skip]))),
})
const inhibitAny = (skip: number): RawExtension => ({ oid: '2.5.29.54', critical: true, value: der.integer(skip) })

/** The extensions of each certificate from the root to the leaf; none where nothing is said. */
type Chain = Partial<Record<'root' | 'first' | 'second' | 'leaf', RawExtension[]>>

function judge({ root = [], first = [], second = [], leaf = [] }: Chain): boolean {
  const ca = mintCa({ extensions: root })
  const one = mintIntermediate(ca, { commonName: 'one', extensions: first })
  const two = mintIntermediate(one, { commonName: 'two', extensions: second })
  const client = mintLeaf(two, { extensions: leaf })
  return hasAcceptablePolicies([client, two, one, ca].map((each) => readCertificate(each.der)))
}

test.each<[string, Chain]>([
  ['nobody asks for any', {}],
  [
    'policies that do not meet, nobody asks',
    { first: [policies(gold)], second: [policies(silver)], leaf: [policies(lead)] },
  ],
  [
    'asked for, one all along',
    { first: [requireExplicit(0), policies(gold)], second: [policies(gold, silver)], leaf: [policies(gold)] },
  ],
  [
    'asked for by the root, whose own policies do not count',
    { root: [requireExplicit(0)], first: [policies(gold)], second: [policies(gold)], leaf: [policies(gold)] },
  ],
  ['asked for further down than the path goes', { first: [requireExplicit(5)] }],
  [
    'anyPolicy along the way',
    { first: [requireExplicit(0), policies(any)], second: [policies(any)], leaf: [policies(gold)] },
  ],
  [
    'anyPolicy forbidden later',
    { first: [requireExplicit(0), policies(gold), inhibitAny(1)], second: [policies(any)], leaf: [policies(gold)] },
  ],
  [
    'mapped',
    {
      first: [requireExplicit(0), policies(gold), mapping(gold, silver)],
      second: [policies(silver)],
      leaf: [policies(silver)],
    },
  ],
  [
    'mapped under anyPolicy',
    {
      first: [requireExplicit(0), policies(any), mapping(gold, silver)],
      second: [policies(silver)],
      leaf: [policies(silver)],
    },
  ],
])('certificate policies: accepted: %s', (_name, chain) => {
  expect(judge(chain)).toBe(true)
})

test.each<[string, Chain]>([
  ['asked for, none there', { first: [requireExplicit(0)] }],
  ['asked for, missing in the middle', { first: [requireExplicit(0), policies(gold)], leaf: [policies(gold)] }],
  [
    'asked for, another in the leaf',
    { first: [requireExplicit(0), policies(gold)], second: [policies(gold)], leaf: [policies(silver)] },
  ],
  ['asked for by the root', { root: [requireExplicit(0)] }],
  ['asked for exactly at the leaf', { first: [requireExplicit(1)] }],
  ['asked for behind the leaf', { first: [requireExplicit(2)] }],
  [
    'anyPolicy forbidden',
    { first: [requireExplicit(0), policies(gold), inhibitAny(0)], second: [policies(any)], leaf: [policies(gold)] },
  ],
  [
    'anyPolicy forbidden from the leaf on',
    { first: [requireExplicit(0), policies(gold), inhibitAny(1)], second: [policies(gold)], leaf: [policies(any)] },
  ],
  [
    'mapped away',
    {
      first: [requireExplicit(0), policies(gold), mapping(gold, silver)],
      second: [policies(gold)],
      leaf: [policies(gold)],
    },
  ],
  [
    'mapping forbidden',
    {
      root: [inhibitMapping(0)],
      first: [policies(gold), mapping(gold, silver)],
      second: [policies(silver)],
      leaf: [policies(silver)],
    },
  ],
  [
    'mapping forbidden further down',
    {
      root: [inhibitMapping(1)],
      first: [policies(gold)],
      second: [policies(gold), mapping(gold, silver)],
      leaf: [policies(silver)],
    },
  ],
  ['mapping of anyPolicy', { first: [policies(gold), mapping(any, silver)] }],
])('certificate policies: refused: %s', (_name, chain) => {
  expect(judge(chain)).toBe(false)
})

test('certificate policies: the leaf can require explicit policies itself', () => {
  expect(judge({ leaf: [requireExplicit(0)] })).toBe(false)
  const along = { first: [policies(gold)], second: [policies(gold)] }
  expect(judge({ ...along, leaf: [requireExplicit(0), policies(gold)] })).toBe(true)
})
