import { type Static, Type } from 'typebox'
import { field } from '../../../../../kit/fields.ts'
import { model } from '../../../../../kit/model.ts'
import type { CertConfig } from './config.ts'

/** The body of a configuration write. Absent fields keep what is stored. */
export const ConfigBody = Type.Object({
  disable_binding: field.flag('Renewal does not require the certificate of the login.', { default: false }),
  enable_identity_alias_metadata: field.flag('Whether metadata of the certificate is stored on the alias.', {
    default: false,
  }),
  ocsp_cache_size: field.whole('Number of OCSP responses to cache, 2 to 100000.', { default: 100 }),
  role_cache_size: field.whole('Number of roles to cache, up to 100000; 0 for the default, -1 for none.', {
    default: 200,
  }),
  enable_metadata_on_failures: field.flag('Whether the error of a refused login includes details of the certificate.', {
    default: false,
  }),
  crl_match: field.text(
    '`issuer`: a list revokes only certificates of its issuer. `serial`: any certificate with a listed serial number.',
  ),
})

/** The fields of a configuration write. */
export type ConfigInput = Static<typeof ConfigBody>

const flag = (description: string) => Type.Boolean({ description })
const size = (description: string) => Type.Integer({ description })

/** What a configuration read answers. */
export const ConfigAnswer = model('CertAuthConfiguration', {
  disable_binding: flag('Renewal does not require the certificate of the login.'),
  enable_identity_alias_metadata: flag('Whether metadata of the certificate is stored on the alias.'),
  ocsp_cache_size: size('Number of OCSP responses to cache.'),
  role_cache_size: size('Number of roles to cache; -1 for none.'),
  enable_metadata_on_failures: flag('Whether the error of a refused login includes details of the certificate.'),
})

/** The configuration as it is read: five fields, and `crl_match` if it is not the default. */
export const configAnswer = (config: CertConfig): Record<string, unknown> => ({
  disable_binding: config.disableBinding,
  enable_identity_alias_metadata: config.enableIdentityAliasMetadata,
  ocsp_cache_size: config.ocspCacheSize,
  role_cache_size: config.roleCacheSize,
  enable_metadata_on_failures: config.enableMetadataOnFailures,
  ...(config.crlMatch === 'issuer' ? {} : { crl_match: config.crlMatch }),
})
