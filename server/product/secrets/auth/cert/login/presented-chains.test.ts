import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { type Minted, mintCa, mintLeaf } from '../../../../../../test/support/certificates.ts'
import type { RequestFacts } from '../../../../../kit/request.ts'
import { presentedChain, roleOfCertificate } from './login-actions.ts'

const requestWith = ({ der }: Minted): RequestFacts => ({
  id: 'request',
  verb: 'POST',
  path: 'auth/cert/login',
  query: new URLSearchParams(),
  headers: {},
  receivedAt: 0 as RequestFacts['receivedAt'],
  remoteAddress: '127.0.0.1',
  remotePort: 1,
  tls: true,
  certificate: { leaf: der, intermediates: [] },
  forwardedCertificate: 'none',
  forwardedForm: 'off',
  origin: 'https://localhost',
  mount: undefined,
  presentedToken: '',
  wrapTtl: undefined,
  fields: {},
})

test('chains: the parsed chain of a connection is cached only after a role has accepted it', async () => {
  const app = await ownCertApp()
  await app.role('web', { certificate: app.ca.pem })
  const mount = await app.deps.mounts.find('auth/cert/')
  if (!mount) throw new Error('no mount')
  const isKept = (request: RequestFacts): boolean => {
    const [once, again] = [presentedChain(app.deps, request), presentedChain(app.deps, request)]
    return once === again
  }
  const stranger = requestWith(mintLeaf(mintCa()))
  await expect(roleOfCertificate(app.deps, { mount, request: stranger }, { name: '' })).rejects.toThrow()
  expect(isKept(stranger)).toBe(false)
  const known = requestWith(app.leaf())
  expect(isKept(known)).toBe(false)
  expect((await roleOfCertificate(app.deps, { mount, request: known }, { name: '' })).role.name).toBe('web')
  expect(isKept(known)).toBe(true)
})
