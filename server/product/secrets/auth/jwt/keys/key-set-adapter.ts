import type { Deps } from '../../../../../kit/deps.ts'
import { keysOfSet, readDiscovery, type VerifyingKey } from './key.ts'

/** Where keys are fetched: a key set, or a provider that says where its key set is. */
export type KeyAddress = { readonly kind: 'key-set' | 'provider'; readonly url: string; readonly ca: string }

/** Fetched keys, and who the provider says that it is. */
export type FetchedKeys = { readonly keys: readonly VerifyingKey[]; readonly issuer: string | undefined }

const limits = { deadline: '10s', maxBytes: 1024 * 1024 } as const

async function fetchText({ outbound }: Pick<Deps, 'outbound'>, url: string, ca: string): Promise<string> {
  const { body } = await outbound.get(url, { ...limits, ...(ca === '' ? {} : { ca }) })
  return body.toString('utf8')
}

async function fetchSet(deps: Pick<Deps, 'outbound'>, url: string, ca: string): Promise<readonly VerifyingKey[]> {
  const keys = keysOfSet(await fetchText(deps, url, ca))
  if (!keys) throw new Error('The answer is not a key set.')
  return keys
}

/** Fetches the keys of one address; throws if there are none. */
export async function fetchKeys(deps: Pick<Deps, 'outbound'>, { kind, url, ca }: KeyAddress): Promise<FetchedKeys> {
  if (kind === 'key-set') return { keys: await fetchSet(deps, url, ca), issuer: undefined }
  const found = readDiscovery(await fetchText(deps, `${url.replace(/\/$/, '')}/.well-known/openid-configuration`, ca))
  if (!found) throw new Error('The answer is not a discovery document.')
  if (found.issuer !== url) throw new Error(`The provider calls itself '${found.issuer}', not '${url}'.`)
  return { keys: await fetchSet(deps, found.jwksUrl, ca), issuer: found.issuer }
}
