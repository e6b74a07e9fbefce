/** Settings of certificate login at one mount. */
export type CertConfig = {
  readonly disableBinding: boolean
  readonly enableIdentityAliasMetadata: boolean
  readonly ocspCacheSize: number
  /** -1 switches the cache off. */
  readonly roleCacheSize: number
  readonly enableMetadataOnFailures: boolean
  /** `issuer`: a list revokes what its own issuer issued. `serial`: it revokes a serial number whoever issued it. */
  readonly crlMatch: 'issuer' | 'serial'
}

/** The settings of a mount nobody configured. */
export const defaultConfig: CertConfig = {
  disableBinding: false,
  enableIdentityAliasMetadata: false,
  ocspCacheSize: 100,
  roleCacheSize: 200,
  enableMetadataOnFailures: false,
  crlMatch: 'issuer',
}
