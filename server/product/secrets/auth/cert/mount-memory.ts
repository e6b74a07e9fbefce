import { textOf } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { mountTable } from '../../mounts/index.ts'
import { forgetCrls } from './crls/crl-memory.ts'
import { forgetDirectory } from './login/directory/role-directory.ts'
import { forgetOcspAnswers } from './ocsp/ocsp-check.ts'

type MemoryDeps = Pick<Deps, 'db' | 'store' | 'log' | 'mountKinds'>

const mountIds = async (deps: MemoryDeps): Promise<ReadonlySet<string>> =>
  new Set((await mountTable(deps)).all.map(({ id }) => id))

/** Frees what is in memory for a mount as soon as it is gone, whichever process removed it. */
export async function forgetRemovedMounts(deps: MemoryDeps): Promise<void> {
  let known = await mountIds(deps)
  const follow = async (): Promise<void> => {
    const before = known
    known = await mountIds(deps)
    for (const id of before.difference(known)) forgetMount(deps, id)
  }
  const report = (error: unknown) =>
    deps.log.warn({ error: textOf(error) }, 'could not drop removed mounts from memory')
  deps.store.versions.onChange('mounts', () => void follow().catch(report))
}

function forgetMount(deps: MemoryDeps, mountId: string): void {
  forgetDirectory(deps, mountId)
  forgetCrls(deps, mountId)
  forgetOcspAnswers(deps, mountId)
}
