import { type Static, Type } from 'typebox'
import { failure } from '../../../../../kernel/failure.ts'
import { field } from '../../../../../kit/fields.ts'
import { type HeldBy, jsonFields } from '../../../../../kit/json-fields.ts'

const maxSize = 100_000

function checkSize(name: string, size: number, least: number): number {
  if (size >= least && size <= maxSize) return size
  throw failure('invalid', 'cert-config.size', `Field '${name}' must be a whole number from ${least} to ${maxSize}.`)
}

const defaultRoleCacheSize = 200

/** A size of 0 means the default. */
const roleCacheSizeOf = (size: number): number => checkSize('role_cache_size', size, -1) || defaultRoleCacheSize

/** `issuer`: a list revokes what its own issuer issued. `serial`: it revokes a serial number whoever issued it. */
function crlMatchOf(sent: string): 'issuer' | 'serial' {
  if (sent === '' || sent === 'issuer') return 'issuer'
  if (sent === 'serial') return sent
  throw failure('invalid', 'cert-config.crl-match', "Field 'crl_match' must be 'issuer' or 'serial'.")
}

/** Settings of certificate login at one mount. */
export const configFields = jsonFields(
  {
    disableBinding: field.flag('Renewal does not require the certificate of the login.', { default: false }),
    enableIdentityAliasMetadata: field.flag('Whether metadata of the certificate is stored on the alias.', {
      default: false,
    }),
    ocspCacheSize: field.whole('Number of OCSP responses to cache, 2 to 100000.', {
      default: 100,
      shown: 'Number of OCSP responses to cache.',
    }),
    roleCacheSize: field.whole('Number of roles to cache, up to 100000; 0 for the default, -1 for none.', {
      default: defaultRoleCacheSize,
      shown: 'Number of roles to cache; -1 for none.',
    }),
    enableMetadataOnFailures: field.flag('Whether the error of a refused login includes details of the certificate.', {
      default: false,
    }),
    crlMatch: field.text(
      '`issuer`: a list revokes only certificates of its issuer. `serial`: any certificate with a listed serial number.',
    ),
  },
  {
    stored: {
      ocspCacheSize: (size) => checkSize('ocsp_cache_size', size, 2),
      roleCacheSize: roleCacheSizeOf,
      crlMatch: crlMatchOf,
    },
  },
)

/** Settings of certificate login at one mount. */
export type CertConfig = HeldBy<typeof configFields>

/** The settings of a mount nobody configured. */
export const defaultConfig: CertConfig = { ...configFields.initial, crlMatch: 'issuer' }

/** The body of a configuration write. Absent fields keep what is stored. */
export const ConfigBody = Type.Object(configFields.body)

/** The fields of a configuration write. */
export type ConfigInput = Static<typeof ConfigBody>
