import { failure } from '../../../../kernel/failure.ts'
import type { RequestFacts } from '../../../../kit/endpoint.ts'
import type { Mount } from '../../../../kit/mount.ts'

/** The mount a request came through; the endpoints of a mount answer nowhere else. */
export function mountOf({ mount }: RequestFacts): Mount {
  if (mount) return mount
  throw failure('internal', 'mount.none', 'The request came through no mount.')
}
