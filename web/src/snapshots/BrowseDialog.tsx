import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { Failure } from '../kit/Answer.tsx'
import { Id } from '../kit/Copy.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { count, size } from '../kit/numbers.ts'
import { Facts, Note } from '../kit/Page.tsx'
import { Table } from '../kit/Table.tsx'
import { exact } from '../kit/times.ts'
import { Working } from '../kit/Working.tsx'

type BrowseProps = { readonly schedule: string; readonly file: string; readonly close: () => void }

/** What is in a stored snapshot: it is read from end to end. */
export function BrowseDialog({ schedule, file, close }: BrowseProps) {
  const asked = useQuery({
    queryKey: ['snapshots.inspect-stored', schedule, file],
    queryFn: async () => (await call('snapshots.inspect-stored', { params: { path: { name: schedule, file } } })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const found = asked.data
  return (
    <Dialog title={`What is in ${file}`} close={close} width={620}>
      {asked.error && <Failure title="It could not be read" error={asked.error} again={() => asked.refetch()} />}
      {asked.isLoading && <Working>Reading the snapshot from end to end</Working>}
      {found && (
        <>
          <Note tone={found.same_keys ? 'ok' : 'warn'}>
            {found.same_keys
              ? 'It is whole, and made with the keys of this server.'
              : 'It is whole, but made with other keys: only a restore by force accepts it.'}
          </Note>
          <Facts
            of={[
              ['Data of', exact(found.created)],
              ['Size', size(found.size)],
              ['Holds', `${count(found.entries)} rows in ${Object.keys(found.tables).length} tables`],
              ['Written by', `Holdfast ${found.version}, format ${found.format}`],
              ['Comes from', `${found.cluster_name || found.cluster_id}${found.same_cluster ? ', this server' : ''}`],
              ['Checksum', <Id key="sha" id={found.sha256} short />],
            ]}
          />
          <div className="row">
            <Table
              label="Tables of the snapshot"
              columns={[
                { title: 'Table', phone: 'name', cell: ([name]) => <code>{name}</code> },
                { title: 'Rows', right: true, phone: 'time', cell: ([, { rows }]) => count(rows) },
              ]}
              rows={Object.entries(found.tables)
                .filter(([, { rows }]) => rows > 0)
                .sort(([, a], [, b]) => b.rows - a.rows)}
              keyOf={([name]) => name}
            />
          </div>
        </>
      )}
    </Dialog>
  )
}
