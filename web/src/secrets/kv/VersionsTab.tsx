import { Link, useNavigate } from '@tanstack/react-router'
import { Answer } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { IconDotsVertical } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { counted } from '../../kit/numbers.ts'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { useAct } from '../act.ts'
import { callIn, kvSubjects, type Metadata, nameOf, type Spot, useMetadata } from './engine.ts'
import { type Fate, fateOf } from './values.ts'

type Row = Metadata['versions'][string] & { readonly number: number; readonly fate: Fate }

const shapes = { current: 'done', kept: 'nothing', deleted: 'waiting', destroyed: 'ended' } as const
const words = { current: 'Current', kept: 'Kept', deleted: 'Deleted', destroyed: 'Destroyed' } as const

/** More rows than this are shown as they come into sight. */
const manyRows = 200

/** The versions of a secret, newest first. */
export function VersionsTab({ spot }: { spot: Spot }) {
  const asked = useMetadata(spot)
  const columns = useColumns(spot)
  return (
    <Answer of={asked} failed="The versions could not be read">
      {({ data }) => {
        const rows = rowsOf(data)
        const long = { count: rows.length, rowAt: (at: number) => rows[at], sight: () => undefined }
        return (
          <Table
            label="Versions"
            columns={columns}
            rows={rows}
            {...(rows.length > manyRows && { long })}
            keyOf={({ number }) => String(number)}
            nothing="It has no version yet."
            foot={counted(rows.length, 'version')}
          />
        )
      }}
    </Answer>
  )
}

const rowsOf = ({ versions, current_version }: Metadata): readonly Row[] =>
  Object.entries(versions)
    .map(([number, version]) => ({
      ...version,
      number: Number(number),
      fate: fateOf(version, Number(number) === current_version),
    }))
    .sort((a, b) => b.number - a.number)

const useColumns = (spot: Spot): readonly Column<Row>[] => [
  {
    title: 'Version',
    phone: 'name',
    width: 110,
    cell: ({ number }) => (
      <Link to="/server/secrets/secret/$" params={{ _splat: nameOf(spot) }} search={{ version: number }}>
        Version {number}
      </Link>
    ),
  },
  {
    title: 'State',
    phone: 'status',
    width: 130,
    cell: ({ fate }) => <Status shape={shapes[fate]}>{words[fate]}</Status>,
  },
  {
    title: 'Written by',
    grow: true,
    phone: 'fact',
    cell: ({ created_by }) => (
      <>
        {created_by.actor} <span className="faint">{created_by.operation}</span>
      </>
    ),
  },
  { title: 'Written', phone: 'time', width: 110, cell: ({ created_time }) => <Time at={created_time} /> },
  {
    title: 'Deleted',
    width: 200,
    cell: ({ deletion_time, deleted_by }) =>
      deletion_time !== '' && (
        <span className="soft">
          <Time at={deletion_time} />
          {deleted_by && ` by ${deleted_by.actor}`}
        </span>
      ),
  },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    width: 56,
    cell: (row) => <RowMenu spot={spot} row={row} />,
  },
]

/** What can be done with versions of a secret. */
export function useVersionActs(spot: Spot) {
  const act = useAct(kvSubjects)
  const params = { path: { path: spot.key } }
  const send = (verb: 'kv.delete' | 'kv.undelete' | 'kv.destroy', numbers: readonly number[]) =>
    callIn(spot, verb, { params, body: { versions: [...numbers] } })
  const said = (numbers: readonly number[]) => `Version ${numbers.join(', ')}`
  return {
    remove: (numbers: readonly number[]) =>
      act(() => send('kv.delete', numbers), {
        done: `${said(numbers)} is deleted`,
        text: 'Nobody can read it until it is brought back.',
        failed: `${said(numbers)} was not deleted`,
        undo: () => send('kv.undelete', numbers),
      }),
    bringBack: (numbers: readonly number[]) =>
      act(() => send('kv.undelete', numbers), {
        done: `${said(numbers)} is back`,
        failed: `${said(numbers)} was not brought back`,
      }),
    destroy: (numbers: readonly number[]) =>
      act(() => send('kv.destroy', numbers), {
        done: `${said(numbers)} is destroyed`,
        failed: `${said(numbers)} was not destroyed`,
      }),
    restore: (version: number) =>
      act(() => callIn(spot, 'kv.restore', { params, body: { version } }), {
        done: `Version ${version} is written again, as the latest`,
        failed: `Version ${version} was not restored`,
      }),
  }
}

/** Brings versions back. */
export function UndeleteButton({ spot, numbers }: { spot: Spot; numbers: readonly number[] }) {
  const { bringBack } = useVersionActs(spot)
  return <Button onClick={() => bringBack(numbers)}>Undelete</Button>
}

function RowMenu({ spot, row: { number, fate } }: { spot: Spot; row: Row }) {
  const { remove, bringBack, destroy, restore } = useVersionActs(spot)
  const confirm = useConfirm()
  const navigate = useNavigate()
  const isGone = fate === 'destroyed' ? 'Its values are gone for good.' : undefined
  const isHidden = isGone ?? (fate === 'deleted' ? 'It is deleted; bring it back first.' : undefined)
  const compare = () =>
    navigate({
      to: '/server/secrets/secret/$',
      params: { _splat: nameOf(spot) },
      search: { tab: 'compare', from: number - 1, to: number },
    })
  const askDestroy = async () => {
    const { yes } = await confirm({
      title: `Destroy version ${number}?`,
      text: `Its values are removed for good: no undelete brings them back. That there was a version ${number} stays known.`,
      action: 'Destroy version',
      typed: String(number),
    })
    if (yes) await destroy([number])
  }
  return (
    <Menu
      items={[
        number > 1 && { label: `Compare with ${number - 1}`, reason: isHidden, act: compare },
        {
          label: 'Restore',
          reason: isHidden ?? (fate === 'current' ? 'It is the current one.' : undefined),
          act: () => restore(number),
        },
        fate === 'deleted'
          ? { label: 'Undelete', act: () => bringBack([number]) }
          : { label: 'Delete', reason: isGone, act: () => remove([number]) },
        { label: 'Destroy…', danger: true, reason: isGone, act: askDestroy },
      ]}
      button={(attributes) => (
        <IconButton label={`Actions for version ${number}`} {...attributes}>
          <IconDotsVertical size={16} stroke={1.6} />
        </IconButton>
      )}
    />
  )
}
