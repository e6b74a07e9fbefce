import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blankRole, type CertRole } from '../../roles/role.ts'
import { satisfiesRole } from './constraint.ts'
import type { LeafFacts } from './leaf-facts.ts'
import { RoleSelector } from './role-selector.ts'

const texts = fc.array(fc.constantFrom('a', 'b', 'C', 'c', '', '*', 'a*'), { maxLength: 3 })

const roles = fc.array(
  fc.record({
    allowedCommonNames: texts,
    allowedDnsSans: texts,
    allowedEmailSans: texts,
    allowedUriSans: texts,
    allowedOrganizationalUnits: texts,
    allowedOrganizations: texts,
    allowedNames: texts,
  }),
  { maxLength: 12 },
)

const values = fc.array(fc.constantFrom('a', 'b', 'C', ''), { maxLength: 3 })

const facts = fc
  .record({
    commonName: fc.constantFrom('', 'a', 'C'),
    dns: values,
    emails: values,
    uris: values,
    ous: values,
    os: values,
  })
  .map(
    ({ commonName, dns, emails, uris, ous, os }): LeafFacts => ({
      commonName,
      dns,
      dnsLowered: dns.map((name) => name.toLowerCase()),
      emails,
      uris,
      urisNormalized: uris,
      ips: [],
      organizationalUnits: ous,
      organizations: os,
      extensions: new Map(),
      names: 1 + dns.length + emails.length + uris.length + ous.length + os.length,
    }),
  )

test('selector: every role that accepts the certificate is selected, in the given order', () => {
  fc.assert(
    fc.property(roles, facts, (lists, leaf) => {
      const items = lists.map((list, index) => ({ role: { ...blankRole(`r${index}`), ...list } as CertRole }))
      const accepting = items.filter(({ role }) => satisfiesRole(role, leaf))
      const selected = new RoleSelector(items).select(leaf)
      expect(selected.filter(({ role }) => satisfiesRole(role, leaf))).toEqual(accepting)
    }),
    { numRuns: 1_000 },
  )
})

test('selector: of 10000 roles with exact common names only the matching one is selected', () => {
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    role: { ...blankRole(`r${index}`), allowedCommonNames: [`host-${index}`] },
  }))
  const leaf = { commonName: 'host-77', dns: [], dnsLowered: [], emails: [], uris: [], urisNormalized: [], ips: [] }
  const selected = new RoleSelector(items).select({
    ...leaf,
    organizationalUnits: [],
    organizations: [],
    extensions: new Map(),
    names: 1,
  })
  expect(selected.map(({ role }) => role.name)).toEqual(['r77'])
})
