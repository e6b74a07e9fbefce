import { fields } from '../../../../../kit/bodies.ts'
import { endpoint, type MountEndpoint, open, Type } from '../../../../../kit/endpoint.ts'
import { TokenAuth } from '../../../../../kit/envelope.ts'
import { field } from '../../../../../kit/fields.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { countedLogin } from '../../../login-roles/index.ts'
import { loginReply } from '../../../tokens/index.ts'
import { loginWithIds } from './login-actions.ts'

/** Login with the ids of an application role. */
export const loginEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'approle-login.login',
    route: 'POST /login',
    summary: 'Log in with a role id and a secret id.',
    access: open('The secret id is the credential.'),
    body: fields(
      Type.Object({
        role_id: field.text('The role id.'),
        secret_id: field.text('A secret id of the role, if the role asks for one.'),
      }),
    ),
    returns: { 200: Type.Object({ auth: TokenAuth }) },
    fails: ['invalid', 'forbidden'],
    handle: async ({ deps, request, body, warn }) => {
      const by = { mount: mountOf(request), request }
      const sent = { roleId: body.role_id ?? '', secretId: body.secret_id ?? '' }
      return loginReply(await countedLogin(deps, by, () => loginWithIds(deps, by, sent)), warn)
    },
  }),
]
