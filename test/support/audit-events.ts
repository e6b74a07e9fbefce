import { instant } from '../../server/kernel/clock.ts'
import type { TokenPrincipal } from '../../server/kernel/principal.ts'
import type { AuditEvent } from '../../server/kit/audit-trail.ts'
import type { MountConfig } from '../../server/kit/mount.ts'
import type { RequestFacts } from '../../server/kit/request.ts'
import { defaultMountConfig } from '../../server/product/secrets/mounts/fixed-mounts.ts'

/** A token that calls in tests. */
export const tokenCaller: TokenPrincipal = {
  kind: 'token',
  id: 'hash-1',
  type: 'service',
  accessor: 'accessor-1',
  displayName: 'ann',
  policies: ['default', 'ops'],
  identityPolicies: [],
  entityId: 'entity-1',
  metadata: { team: 'blue' },
  path: 'auth/token/create',
  parentId: '',
  root: false,
  issuedAt: instant(1_700_000_000_000),
  expiresAt: undefined,
  ttlSeconds: 3600,
  renewable: true,
  remainingUses: 0,
  limitedUses: false,
  boundCidrs: [],
  certificateFingerprint: '',
  platformTeam: '',
  platformTeamId: '',
  wrapping: false,
}

type Changes = Partial<Omit<AuditEvent, 'request'>> & { request?: Partial<RequestFacts>; config?: Partial<MountConfig> }

/** A write to a policy, as the pipeline would report it. */
export function auditEvent({ request, config, ...changes }: Changes = {}): AuditEvent {
  const facts: RequestFacts = {
    id: 'request-1',
    verb: 'POST',
    path: 'sys/policies/acl/ops',
    query: new URLSearchParams(),
    headers: {},
    receivedAt: instant(1_700_000_000_000),
    remoteAddress: '10.0.0.9',
    remotePort: 4711,
    tls: true,
    certificate: undefined,
    forwardedCertificate: 'none',
    forwardedForm: 'off',
    origin: 'https://localhost',
    presentedToken: 'hfs.token',
    wrapTtl: undefined,
    fields: {},
    mount: {
      id: 'mount-1',
      path: 'sys/',
      type: 'system',
      accessor: 'system_1',
      description: '',
      local: false,
      sealWrap: false,
      options: null,
      loginId: 'mount',
      config: { ...defaultMountConfig, ...config },
    },
    ...request,
  }
  return {
    request: facts,
    endpoint: { api: 'v1', path: '/policies/acl/*name' },
    operation: 'update',
    caller: tokenCaller,
    verdict: { allowed: true, grantingPolicies: ['ops'] },
    wrapTtl: 0,
    memo: {},
    ...changes,
  }
}
