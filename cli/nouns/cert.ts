import { callOperation } from '../connection/operations.ts'
import { readValue } from '../input/arguments.ts'
import { entryVerbs, mountOf } from './entry-verbs.ts'
import type { Noun, Result, Verb, VerbFlag } from './noun.ts'

const mountFlag: VerbFlag = { term: '--mount <path>', text: 'where the method is mounted, if not at cert' }

const roles = entryVerbs({
  title: 'certificate role',
  kind: 'cert-role',
  command: 'cert',
  list: 'cert-roles.list',
  read: 'cert-roles.read',
  write: 'cert-roles.write',
  remove: 'cert-roles.delete',
  flags: [mountFlag],
  columns: ['name'],
  stakes: 'so that certificates no longer log in by it',
  examples: {
    name: 'web',
    known: 'dev',
    create: 'web --certificate @ca.pem --allowed-dns-sans "*.example.com" --token-policies web --token-ttl 1h',
    update: 'web --token-ttl 30m',
  },
})

const lists = entryVerbs({
  title: 'revocation list',
  kind: 'cert-crl',
  command: 'cert crl',
  list: 'cert-crls.list',
  read: 'cert-crls.read',
  write: 'cert-crls.write',
  remove: 'cert-crls.delete',
  flags: [mountFlag],
  columns: ['name'],
  stakes: 'so that it revokes nothing any more',
  examples: {
    name: 'issuing',
    known: 'root',
    create: 'issuing --crl @issuing.crl',
    update: 'issuing --crl @newer.crl',
  },
})

const explain: Verb = {
  name: 'explain',
  description: 'show which role a certificate would log in by, or why it would not; exits with 2 if it would not',
  arguments: [{ term: '<file>', text: 'the certificate with its intermediates in PEM, or - for standard input' }],
  flags: [
    { term: '--role <name>', text: 'only this role, as in a login that names it', names: 'cert-role' },
    { term: '--from <address>', text: 'the address that the login would come from' },
    { term: '--ask-ocsp', text: 'also ask the OCSP responders' },
    mountFlag,
  ],
  example: 'cert explain client.pem',
  run: async (session) => {
    const { role, from, askOcsp } = session.flags
    const file = session.word(0)
    const certificate = await readValue(session.io, 'certificate', file === '-' ? file : `@${file}`)
    const body = {
      certificate,
      ...(role !== undefined && { name: role }),
      ...(from !== undefined && { remote_address: from }),
      ...(askOcsp === true && { ask_ocsp: true }),
    }
    const { body: answer } = await callOperation(session.client, 'cert-login.explain', { body, ...mountOf(session) })
    return explanationOf((answer as { data: Explanation }).data)
  },
}

type Explanation = {
  readonly accepted: boolean | null
  readonly accepted_by: string
  readonly roles: readonly {
    role: string
    checks: readonly { check: string; ok: boolean | null; detail: string; fix: string }[]
  }[]
}

/** A line for each check; what fails says how it passes. */
function explanationOf(data: Explanation): Result {
  const rows = data.roles.flatMap(({ role, checks }) =>
    checks.map(({ check, ok, detail, fix }) => ({
      role,
      check,
      ok: ok === null ? 'not checked' : ok ? 'yes' : 'no',
      detail: ok === true ? detail : [detail, fix].filter(Boolean).join(' '),
    })),
  )
  const told = {
    rows,
    columns: ['role', 'check', 'ok', 'detail'],
    data,
  }
  if (data.accepted) return { ...told, hint: `The certificate logs in by the role '${data.accepted_by}'.` }
  const verdict = data.accepted === null ? 'may log in: some checks were not made' : 'does not log in'
  return {
    ...told,
    problem:
      data.roles.length === 0 ? 'There is no role that could accept the certificate.' : `The certificate ${verdict}.`,
  }
}

/** `holdfast cert`. */
export const cert: Noun = {
  name: 'cert',
  description: 'certificate login: roles, revocation lists, and why a certificate may log in or not',
  verbs: [...roles, explain],
  nouns: [{ name: 'crl', description: 'revocation lists', verbs: lists }],
}
