import { type Static, Type } from 'typebox'
import { field } from '../../../kit/fields.ts'
import type { CertConfig } from './config.ts'

/** The body of a configuration write. Absent fields keep what is stored. */
export const ConfigBody = Type.Object({
  disable_binding: field.flag('Renewal does not ask for the certificate of the login.', { default: false }),
  enable_identity_alias_metadata: field.flag('Metadata of the certificate is kept on the alias.', { default: false }),
  ocsp_cache_size: field.whole('Answers of OCSP responders to remember, 2 to 100000.', { default: 100 }),
  role_cache_size: field.whole('Roles to remember, up to 100000; 0 for the default, -1 for none.', { default: 200 }),
  enable_metadata_on_failures: field.flag('A refused login tells what it knows of the certificate.', {
    default: false,
  }),
  crl_match: field.text('`issuer`: lists revoke what their issuer issued. `serial`: whatever has the serial number.'),
})

/** The fields of a configuration write. */
export type ConfigInput = Static<typeof ConfigBody>

const flag = (description: string) => Type.Boolean({ description })
const size = (description: string) => Type.Integer({ description })

/** What a configuration read answers. */
export const ConfigAnswer = Type.Object({
  disable_binding: flag('Renewal does not ask for the certificate of the login.'),
  enable_identity_alias_metadata: flag('Metadata of the certificate is kept on the alias.'),
  ocsp_cache_size: size('Answers of OCSP responders to remember.'),
  role_cache_size: size('Roles to remember; -1 for none.'),
  enable_metadata_on_failures: flag('A refused login tells what it knows of the certificate.'),
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
