import { Link, useNavigate } from '@tanstack/react-router'
import { Button, buttonClass, IconButton } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { IconDotsVertical } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { counted } from '../../kit/numbers.ts'
import { useAct } from '../act.ts'
import { callIn, kvSubjects, type Metadata, nameOf, type Spot } from './engine.ts'
import { useVersionActs } from './VersionsTab.tsx'
import { fateOf } from './values.ts'

/** What can be done with a secret as a whole. */
export function SecretActions({ spot, metadata }: { spot: Spot; metadata: Metadata | undefined }) {
  const askRemove = useRemove(spot, metadata)
  const { remove } = useVersionActs(spot)
  const number = metadata?.current_version ?? 0
  const latest = metadata?.versions[number]
  const isReadable = latest !== undefined && fateOf(latest, true) === 'current'
  const { hasVersions } = spot.engine
  return (
    <>
      {hasVersions ? (
        <>
          <Button
            kind="danger"
            reason={isReadable || !metadata ? undefined : 'The latest version is gone already.'}
            onClick={() => remove([number])}
          >
            Delete version {number}
          </Button>
          <Menu
            items={[{ label: 'Delete all for good…', danger: true, act: askRemove }]}
            button={(attributes) => (
              <IconButton label={`More actions for ${spot.key}`} {...attributes}>
                <IconDotsVertical size={16} stroke={1.6} />
              </IconButton>
            )}
          />
        </>
      ) : (
        <Button kind="danger" onClick={askRemove}>
          Delete…
        </Button>
      )}
      <Link
        to="/server/secrets/secret/$"
        params={{ _splat: nameOf(spot) }}
        search={{ tab: 'edit' }}
        className={buttonClass('primary')}
      >
        {hasVersions ? 'New version' : 'Edit'}
      </Link>
    </>
  )
}

function useRemove(spot: Spot, metadata: Metadata | undefined) {
  const confirm = useConfirm()
  const act = useAct(kvSubjects)
  const navigate = useNavigate()
  const name = nameOf(spot)
  const count = Object.keys(metadata?.versions ?? {}).length
  return async () => {
    const { yes } = await confirm({
      title: `Delete ${name} for good?`,
      text: spot.engine.hasVersions
        ? `${counted(count, 'version')} and all that is known about it are removed. Nothing brings them back but a snapshot.`
        : 'Its values are removed. The engine keeps no versions, so nothing brings them back but a snapshot.',
      action: 'Delete secret',
      typed: spot.key,
    })
    if (!yes) return
    const params = { path: { path: spot.key } }
    const gone = async () => {
      await (spot.engine.hasVersions
        ? callIn(spot, 'kv.delete-metadata', { params })
        : callIn(spot, 'kv1.delete', { params }))
      // First, since a secret that is gone is not asked for again.
      await navigate({
        to: '/server/secrets/browse/$',
        params: { _splat: name.split('/').slice(0, -1).join('/') },
        ignoreBlocker: true,
      })
    }
    await act(gone, { done: `${name} is deleted`, failed: `${name} was not deleted` })
  }
}
