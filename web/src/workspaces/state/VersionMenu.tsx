import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { IconButton } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { IconDotsVertical } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { size } from '../../kit/numbers.ts'
import { useToasts } from '../../kit/Toasts.tsx'
import { targetOf } from '../names.ts'
import { useWorkspace } from '../workspace.tsx'
import type { Version } from './versions.ts'

/** What can be done to the content of an old version. */
export function VersionMenu({ version: { id, attributes } }: { version: Version }) {
  const { relationships, reasonNot } = useWorkspace()
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const isCurrent = targetOf(relationships['current-state-version'])?.id === id
  const reason = reasonNot('can-update') ?? (isCurrent ? 'The current state cannot be deleted.' : undefined)
  const params = { path: { stateVersionId: id } }
  const serial = `serial ${attributes.serial}`
  const attempt = async (failed: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      say.failed(failed, error)
    }
    await refresh(['state-versions', 'workspace-changes'])
  }
  const restore = () =>
    attempt(`The content of ${serial} was not restored`, async () => {
      await call('state-versions.restore', { params })
      say.done(`The content of ${serial} is back`)
    })
  const softDelete = () =>
    attempt(`The content of ${serial} was not deleted`, async () => {
      await call('state-versions.soft-delete', { params })
      say.done(`The content of ${serial} is deleted`, { undo: restore })
    })
  const destroy = async () => {
    const text = `${size(attributes.size ?? 0)} of state are gone for good. The version stays in the list, but nobody can download it, compare with it or roll back to it.`
    const { yes } = await confirm({ title: `Destroy the content of ${serial}?`, text, action: 'Destroy the content' })
    if (!yes) return
    await attempt(`The content of ${serial} was not destroyed`, async () => {
      await call('state-versions.permanently-delete', { params })
      say.done(`The content of ${serial} is destroyed`)
    })
  }
  const isDeleted = attributes.status === 'backing_data_soft_deleted'
  return (
    <Menu
      items={[
        isDeleted && { label: 'Restore the content', reason: reasonNot('can-update'), act: restore },
        !isDeleted && { label: 'Delete the content', reason, act: softDelete },
        { label: 'Destroy the content…', danger: true, reason, act: destroy },
      ]}
      button={(attributes) => (
        <IconButton label={`More about ${serial}`} {...attributes}>
          <IconDotsVertical size={16} stroke={1.6} />
        </IconButton>
      )}
    />
  )
}
