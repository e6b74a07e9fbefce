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

/** A path with these extensions, root first. */
function judge(root: RawExtension[], first: RawExtension[], second: RawExtension[], leaf: RawExtension[]): boolean {
  const ca = mintCa({ extensions: root })
  const one = mintIntermediate(ca, { commonName: 'one', extensions: first })
  const two = mintIntermediate(one, { commonName: 'two', extensions: second })
  const client = mintLeaf(two, { extensions: leaf })
  return hasAcceptablePolicies([client, two, one, ca].map((each) => readCertificate(each.der)))
}

test.each<[string, RawExtension[], RawExtension[], RawExtension[], RawExtension[], boolean]>([
  ['nobody asks for any', [], [], [], [], true],
  ['policies that do not meet, nobody asks', [], [policies(gold)], [policies(silver)], [policies(lead)], true],
  ['asked for, none there', [], [requireExplicit(0)], [], [], false],
  [
    'asked for, one all along',
    [],
    [requireExplicit(0), policies(gold)],
    [policies(gold, silver)],
    [policies(gold)],
    true,
  ],
  ['asked for, missing in the middle', [], [requireExplicit(0), policies(gold)], [], [policies(gold)], false],
  [
    'asked for, another in the leaf',
    [],
    [requireExplicit(0), policies(gold)],
    [policies(gold)],
    [policies(silver)],
    false,
  ],
  ['asked for by the root', [requireExplicit(0)], [], [], [], false],
  [
    'asked for by the root, whose own policies do not count',
    [requireExplicit(0)],
    [policies(gold)],
    [policies(gold)],
    [policies(gold)],
    true,
  ],
  ['asked for further down than the path goes', [], [requireExplicit(5)], [], [], true],
  ['asked for exactly at the leaf', [], [requireExplicit(1)], [], [], false],
  ['anyPolicy along the way', [], [requireExplicit(0), policies(any)], [policies(any)], [policies(gold)], true],
  [
    'anyPolicy forbidden',
    [],
    [requireExplicit(0), policies(gold), inhibitAny(0)],
    [policies(any)],
    [policies(gold)],
    false,
  ],
  [
    'anyPolicy forbidden later',
    [],
    [requireExplicit(0), policies(gold), inhibitAny(1)],
    [policies(any)],
    [policies(gold)],
    true,
  ],
  [
    'mapped',
    [],
    [requireExplicit(0), policies(gold), mapping(gold, silver)],
    [policies(silver)],
    [policies(silver)],
    true,
  ],
  [
    'mapped away',
    [],
    [requireExplicit(0), policies(gold), mapping(gold, silver)],
    [policies(gold)],
    [policies(gold)],
    false,
  ],
  [
    'mapped under anyPolicy',
    [],
    [requireExplicit(0), policies(any), mapping(gold, silver)],
    [policies(silver)],
    [policies(silver)],
    true,
  ],
  [
    'mapping forbidden',
    [inhibitMapping(0)],
    [policies(gold), mapping(gold, silver)],
    [policies(silver)],
    [policies(silver)],
    false,
  ],
  ['mapping of anyPolicy', [], [policies(gold), mapping(any, silver)], [], [], false],
])('certificate policies: %s', (_name, root, first, second, leaf, expected) => {
  expect(judge(root, first, second, leaf)).toBe(expected)
})

test('certificate policies: the leaf can require explicit policies itself', () => {
  expect(judge([], [], [], [requireExplicit(0)])).toBe(false)
  expect(judge([], [policies(gold)], [policies(gold)], [requireExplicit(0), policies(gold)])).toBe(true)
})
