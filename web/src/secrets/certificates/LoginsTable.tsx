import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { count } from '../../kit/numbers.ts'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { useMount } from './mounts.tsx'
import { reasonWord, shortName } from './reasons.ts'
import type { LoginsSearch } from './searches.ts'

type Login = Schemas['CertLogin']

type Props = {
  readonly filter: LoginsSearch
  /** What stands below the rows, by the id after which the next page begins. */
  readonly foot?: (shown: number, next: string) => ReactNode
  readonly nothing?: ReactNode
}

/** The name by which people know who logged in. */
export const whoOf = ({ common_name, subject, fingerprint, names }: Login): string =>
  common_name || names[0] || (subject ? shortName(subject) : fingerprint ? 'without a name' : 'no certificate')

/** Recorded logins, the newest first. */
export function LoginsTable({ filter, foot, nothing = 'Nobody logged in or was refused in the last 30 days.' }: Props) {
  const mount = useMount()
  const query = { limit: 100, ...filter }
  const asked = useAnswer('cert-logins.list', { params: { query } }, { mount, keep: true, every: 15_000 })
  return (
    <Answer of={asked} failed="The logins could not be read">
      {({ data: { logins, next } }) => (
        <Table
          label="Logins"
          columns={columns}
          rows={logins}
          keyOf={({ id }) => id}
          nothing={nothing}
          foot={foot?.(logins.length, next)}
        />
      )}
    </Answer>
  )
}

const columns: readonly Column<Login>[] = [
  {
    title: 'Certificate',
    phone: 'name',
    grow: true,
    cell: (login) =>
      login.fingerprint === '' ? (
        <span className="soft">{whoOf(login)}</span>
      ) : (
        <Link to="/server/certificates/logins" search={{ fingerprint: login.fingerprint }} data-tip={login.subject}>
          {whoOf(login)}
        </Link>
      ),
  },
  {
    title: 'Verdict',
    phone: 'status',
    cell: ({ accepted, reason, detail }) =>
      accepted ? (
        <Status shape="done">Accepted</Status>
      ) : (
        <Status shape="failed" term={detail} note={reasonWord(reason)}>
          Refused
        </Status>
      ),
  },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'From', cell: ({ remote_address }) => <code>{remote_address}</code> },
  { title: 'Times', right: true, cell: (login) => (login.count > 1 ? `×${count(login.count)}` : '') },
  { title: 'When', right: true, phone: 'time', cell: ({ last_time }) => <Time at={last_time} /> },
  {
    title: 'Why',
    right: true,
    phone: 'fact',
    cell: ({ accepted, id, fingerprint }) =>
      !accepted && fingerprint !== '' ? (
        <Link to="/server/certificates/explain" search={{ login: id }}>
          Explain
        </Link>
      ) : null,
  },
]
