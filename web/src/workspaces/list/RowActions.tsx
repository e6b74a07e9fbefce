import { useNavigate } from '@tanstack/react-router'
import { IconButton } from '../../kit/Button.tsx'
import { IconDotsVertical } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { useAddress } from '../address.ts'
import { BulkDialog } from './BulkDialog.tsx'
import type { BulkVerb } from './bulk.ts'
import type { Workspace } from './columns.tsx'
import { MoveDialog } from './MoveDialog.tsx'

/** What is done with one row: the same as with several, with the same preview. */
export type RowAct = { readonly verb: BulkVerb | 'move'; readonly workspace: Workspace }

type RowMenuProps = { readonly workspace: Workspace; readonly act: (act: RowAct) => void }

/** What can be done with one workspace from the list. */
export function RowMenu({ workspace, act }: RowMenuProps) {
  const { organization } = useAddress<object>()
  const navigate = useNavigate()
  const { name = '', locked } = workspace.attributes
  const item = (label: string, verb: RowAct['verb']) => ({ label, act: () => act({ verb, workspace }) })
  const page = (label: string, below: string) => ({
    label,
    act: () =>
      navigate({ to: `/$organization/workspaces/$name${below}` as never, params: { organization, name } as never }),
  })
  return (
    <Menu
      items={[
        !locked && item('Lock…', 'lock'),
        locked && item('Unlock…', 'unlock'),
        locked && item('Break the lock…', 'force-unlock'),
        item('Add tags…', 'tag'),
        item('Move…', 'move'),
        page('State', '/state'),
        page('Variables', '/variables'),
        page('Settings', '/settings'),
      ]}
      button={(attributes) => (
        <IconButton label={`Actions of ${name}`} {...attributes}>
          <IconDotsVertical size={16} stroke={1.6} />
        </IconButton>
      )}
    />
  )
}

/** The dialog of what was chosen in the menu of a row. */
export function RowDialog({ act: { verb, workspace }, close }: { act: RowAct; close: () => void }) {
  if (verb === 'move') return <MoveDialog chosen={[workspace]} close={close} clear={close} />
  return <BulkDialog verb={verb} selection={{ names: [workspace.attributes.name ?? ''] }} close={close} clear={close} />
}
