import { Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { whoOf } from './LoginsTable.tsx'
import { useMount } from './mounts.tsx'
import { shortDigest } from './reasons.ts'

type Client = Schemas['CertClient']

/** The certificates that logged in within 30 days. */
export function ClientsTable({ filter }: { filter: { readonly role?: string; readonly trusted_by?: string } }) {
  const mount = useMount()
  const query = { limit: 1000, since: 2_592_000, ...filter }
  const asked = useAnswer('cert-logins.clients', { params: { query } }, { mount, keep: true })
  return (
    <Answer of={asked} failed="The clients could not be read">
      {({ data: { clients } }) => (
        <Table
          label="Clients"
          columns={columns}
          rows={clients}
          keyOf={({ fingerprint }) => fingerprint}
          nothing="No client logged in within the last 30 days."
          foot={`${counted(clients.length, 'certificate')} in the last 30 days`}
        />
      )}
    </Answer>
  )
}

const columns: readonly Column<Client>[] = [
  {
    title: 'Certificate',
    phone: 'name',
    grow: true,
    cell: (client) => (
      <Link to="/server/certificates/logins" search={{ fingerprint: client.fingerprint }} data-tip={client.subject}>
        {whoOf(client)}
      </Link>
    ),
  },
  { title: 'Role', phone: 'status', cell: ({ role }) => role },
  { title: 'Last from', cell: ({ remote_address }) => <code>{remote_address}</code> },
  {
    title: 'SHA-256',
    cell: ({ fingerprint }) => <code data-tip={fingerprint}>{shortDigest(fingerprint)}</code>,
  },
  { title: 'Logins', right: true, phone: 'fact', cell: ({ logins }) => count(logins) },
  { title: 'Last', right: true, phone: 'time', cell: ({ last_time }) => <Time at={last_time} /> },
]
