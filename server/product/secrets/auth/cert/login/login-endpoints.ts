import { endpoint, type MountEndpoint, open, Type } from '../../../../../kit/endpoint.ts'
import { TokenAuth } from '../../../../../kit/envelope.ts'
import { field, parseFields } from '../../../../../kit/fields.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { loginReply } from '../../../tokens/index.ts'
import { loginWithCertificate } from './login-actions.ts'

const LoginBody = Type.Object({
  name: field.text('The role to log in with; if omitted, every role is tried.', { default: '' }),
})

/** Login with a client certificate. */
export const loginEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'cert-login.login',
    route: 'POST /login',
    summary: 'Log in with the client certificate of the TLS connection.',
    access: open('The certificate of the connection is the credential.'),
    // Clients send all they have, certificate and key included; those fields are ignored, and without a warning.
    body: { kind: 'json', schema: LoginBody, parse: (raw) => parseFields(LoginBody, raw).value, maxBytes: 1024 * 1024 },
    returns: { 200: Type.Object({ auth: TokenAuth }) },
    fails: ['invalid', 'forbidden'],
    example: {
      request: { name: 'web' },
      response: {
        auth: {
          client_token: 'hfs.…',
          accessor: 'Jn3cPk0xQ1mVf7sZb2TdWy8r',
          policies: ['default', 'web'],
          token_policies: ['default', 'web'],
          metadata: { cert_name: 'web' },
          lease_duration: 3600,
          renewable: true,
          entity_id: '',
          token_type: 'service',
          orphan: true,
          mfa_requirement: null,
          num_uses: 0,
        },
      },
    },
    handle: async ({ deps, request, body, warn }) => {
      const presented = { mount: mountOf(request), request }
      const { login, overlooked } = await loginWithCertificate(deps, presented, body.name ?? '')
      return loginReply(login, warn, overlooked === undefined ? {} : { ocsp_overlooked: overlooked })
    },
  }),
]
