import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { joiningEndpoints } from './links/joining-endpoints.ts'
import { linkEndpoints } from './links/link-endpoints.ts'
import { signInEndpoints } from './sign-in-endpoints.ts'
import { tokenPageEndpoints } from './token-page/token-page-endpoints.ts'

export { leaveNotice } from './notice.ts'
export { type Problem, problemText, windowTitleOf } from './problem.ts'
export { leadToPage, type PagePrefix, pagePrefixes, redirectTo } from './redirects.ts'
export { isStaleForm, personOf, requireCsrf, sessionOf } from './session-cookie.ts'
export { signInPage } from './sign-in-endpoints.ts'
export { csrfField, signedInPage, type Viewer, viewerOf } from './signed-in-page.ts'
export { type SessionOptions, shownBeforeSigningIn, signInFirst, withSession } from './with-session.ts'

/** How people sign in: by password, by token, by a link that works once. */
export const signInFeature: Feature = defineFeature({
  name: 'sign-in',
  endpoints: [...signInEndpoints, ...linkEndpoints, ...joiningEndpoints, ...tokenPageEndpoints],
})
