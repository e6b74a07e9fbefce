import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { joiningEndpoints } from './links/joining-endpoints.ts'
import { linkEndpoints } from './links/link-endpoints.ts'
import { ownSessionEndpoints } from './own-session-endpoints.ts'
import { signInEndpoints } from './sign-in-endpoints.ts'

export { isStaleForm, leaveNotice, personOf, requireCsrf, sessionOf } from './session-cookie-endpoints.ts'
export {
  type PagePrefix,
  type Problem,
  redirectTo,
  type SessionOptions,
  shownBeforeSigningIn,
  signedInPage,
  signInFirst,
  type Viewer,
  viewerOf,
} from './signed-in-page-endpoints.ts'

/** How people sign in: by password, by token, by a link that works once. */
export const signInFeature: Feature = defineFeature({
  name: 'sign-in',
  endpoints: [...signInEndpoints, ...linkEndpoints, ...joiningEndpoints, ...ownSessionEndpoints],
})
