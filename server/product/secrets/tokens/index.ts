import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { authMethod } from '../../../kit/mount-kind.ts'
import { authenticate, revokeUsedUp } from './authentication-actions.ts'
import { createEndpoints } from './issuing/create-endpoints.ts'
import { createRootToken, seedRootToken } from './issuing/new-token-actions.ts'
import { leaseEndpoints } from './leases/lease-endpoints.ts'
import { newRootTokenText } from './records/token-text-actions.ts'
import {
  forgetLogins,
  planLoginRevocation,
  removeSomeLogins,
  revocationJobs,
  revokeLogins,
  tokenRemover,
} from './revoking/revocation-actions.ts'
import { revocationEndpoints } from './revoking/revocation-endpoints.ts'
import { pageOfHolders } from './roles/token-role-actions.ts'
import { roleEndpoints } from './roles/token-role-endpoints.ts'
import { lookupEndpoints } from './upkeep/lookup-endpoints.ts'
import { renewalEndpoints } from './upkeep/token-renewal-endpoints.ts'
import { wrapAnswer } from './wrapping/wrapping-actions.ts'
import { wrappingEndpoints } from './wrapping/wrapping-endpoints.ts'

export { callerToken, invalidToken } from './caller-token.ts'
export type { LoginGrant } from './issuing/login.ts'
export { type Alongside, type IssuedLogin, issueLoginToken, loginReply } from './issuing/login-actions.ts'
export { createRootToken } from './issuing/new-token-actions.ts'
export { findTokenPrincipal } from './known-token-actions.ts'
export {
  deleteValue,
  findValue,
  hasValue,
  listEntries,
  type Spot,
  saveValue,
  type Value,
} from './records/cubbyhole-store.ts'
export { markLivingDead } from './revoking/revocation-store.ts'

/** Tokens: who may call `/v1`, and for how long. */
export const tokensFeature: Feature = defineFeature({
  name: 'tokens',
  endpoints: [...wrappingEndpoints, ...leaseEndpoints],
  mounts: [
    authMethod({
      type: 'token',
      description: 'Login and management with tokens.',
      singleton: { path: 'auth/token/', isTunable: true },
      endpoints: [
        ...createEndpoints,
        ...lookupEndpoints,
        ...renewalEndpoints,
        ...revocationEndpoints,
        ...roleEndpoints,
      ],
    }),
  ],
  jobs: revocationJobs,
  services: (deps) => ({
    tokens: {
      authenticate: (token, request) => authenticate(deps, token, request),
      revokeUsedUp: (request) => revokeUsedUp(deps, request),
      wrapAnswer: (answer, terms) => wrapAnswer(deps, JSON.stringify(answer), terms),
    },
  }),
  parts: {
    holderSource: { kind: 'token_role', source: 'token-role', page: pageOfHolders },
    rootTokenText: newRootTokenText,
    rootToken: createRootToken,
    remover: tokenRemover,
    // Secrets engines have no logins, so that no token of theirs is found.
    mountStep: {
      removing: async (tx) => forgetLogins(tx),
      removeSome: removeSomeLogins,
      moving: (tx, { mount, at }) => planLoginRevocation(tx, mount, at),
      moved: revokeLogins,
    },
  },
  devSeed: seedRootToken,
})
