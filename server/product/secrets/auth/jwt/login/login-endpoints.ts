import { fields } from '../../../../../kit/bodies.ts'
import { endpoint, type MountEndpoint, open, Type } from '../../../../../kit/endpoint.ts'
import { TokenAuth } from '../../../../../kit/envelope.ts'
import { field } from '../../../../../kit/fields.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { countedLogin } from '../../../login-roles/index.ts'
import { loginReply } from '../../../tokens/index.ts'
import { loginWithToken } from './login-actions.ts'

/** Login with a token of a provider. */
export const loginEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'jwt-login.login',
    route: 'POST /login',
    summary: 'Log in with a JWT of a provider, such as that of a CI job or of a Kubernetes service account.',
    access: open('The token of the provider is the credential.'),
    body: fields(
      Type.Object({
        role: field.text('The role; the default role of the mount if it is left out.'),
        jwt: field.text('The token, in the compact form.'),
      }),
    ),
    returns: { 200: Type.Object({ auth: TokenAuth }) },
    fails: ['invalid', 'forbidden'],
    handle: async ({ deps, request, body, warn }) => {
      const by = { mount: mountOf(request), request }
      const sent = { role: body.role ?? '', jwt: body.jwt?.trim() ?? '' }
      return loginReply(await countedLogin(deps, by, () => loginWithToken(deps, by, sent)), warn)
    },
  }),
]
