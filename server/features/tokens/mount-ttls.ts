import type { MountTtls } from '../../access/ttl.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Mount } from '../../kit/mount.ts'

/** The lifetimes that hold at a mount: its own where it is tuned, else the server's. */
export const ttlsOf = ({ settings }: Pick<Deps, 'settings'>, mount: Mount | undefined): MountTtls => ({
  defaultLeaseTtl: mount?.config.defaultLeaseTtl || settings.defaultLeaseTtl,
  maxLeaseTtl: mount?.config.maxLeaseTtl || settings.maxLeaseTtl,
})
