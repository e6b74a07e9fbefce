import type { ServerWatch } from '../../../../access/attention.ts'
import { instant } from '../../../../kernel/clock.ts'
import { listStaleCrls } from './crls/crl-store.ts'
import { expiringCas } from './roles/role-store.ts'

const dayMs = 86_400_000

/** A CA is told of so long before it expires, and after it. */
const spanMs = 30 * dayMs

const stillRevokes = (entries: number): string => {
  if (entries === 0) return 'It revokes no certificate.'
  return `It keeps revoking ${entries} ${entries === 1 ? 'certificate' : 'certificates'}.`
}

/** CAs that roles trust and that expire, and revocation lists that are past their next update. */
export const watchTrust: ServerWatch = async ({ reads, clock }, { limit }) => {
  const now = clock.now()
  const cas = await expiringCas(reads, { from: now - spanMs, until: now + spanMs })
  const stale = await listStaleCrls(reads, now, limit)
  return [
    ...cas.slice(0, limit).map(({ mountPath, name, notAfter }) => ({
      kind: 'ca-expires',
      failed: notAfter <= now,
      name: `${mountPath}${name}`,
      text: `A CA that this role trusts ${notAfter <= now ? 'has expired' : 'expires'}: its clients lose access.`,
      at: instant(notAfter),
    })),
    ...stale.map(({ mountPath, name, entries, since }) => ({
      kind: 'crl-stale',
      failed: false,
      name: `${mountPath}${name}`,
      text: `The revocation list is past its next update. ${stillRevokes(entries)}`,
      at: instant(since),
    })),
  ]
}
