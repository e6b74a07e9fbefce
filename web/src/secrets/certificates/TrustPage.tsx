import { Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { Validity } from '../../kit/Validity.tsx'
import { CertificatePage } from './CertificatePage.tsx'
import { useMount } from './mounts.tsx'
import { expiry, shortName } from './reasons.ts'

type Trusted = Schemas['CertTrust']

const shapes = { ok: 'done', warn: 'risk', bad: 'failed' } as const
const year = 365 * 86_400_000

/** What roles trust: which roles depend on it, who came by it, and how long it lasts. */
export function TrustPage() {
  const mount = useMount()
  const asked = useAnswer('cert-summary.trust', { params: { query: { limit: 500 } } }, { mount, every: 60_000 })
  return (
    <CertificatePage title="Trust map" facts={<span>the first to expire first</span>}>
      <Answer of={asked} failed="The trusted certificates could not be read">
        {({ data: { certificates, total } }) =>
          total === 0 ? (
            <Empty title="Nothing is trusted yet">
              Roles trust CAs, or pin one certificate. Here you see which roles depend on each of them, who logged in by
              it, and when it ends.
            </Empty>
          ) : (
            <Table
              label="Trusted certificates"
              columns={columnsOf(certificates)}
              rows={certificates}
              keyOf={({ fingerprint }) => fingerprint}
              foot={`${counted(total, 'certificate')}${certificates.length < total ? `, showing ${count(certificates.length)}` : ''}; clients of the last 30 days`}
            />
          )
        }
      </Answer>
    </CertificatePage>
  )
}

function columnsOf(all: readonly Trusted[]): readonly Column<Trusted>[] {
  const now = Date.now()
  const ends = all.map(({ not_after }) => Date.parse(not_after))
  const span = [now - year, Math.min(now + 4 * year, Math.max(now + year, ...ends))] as const
  return [
    {
      title: 'Certificate',
      phone: 'name',
      cell: ({ subject, pinned }) => (
        <span data-tip={subject}>
          <span className="strong">{shortName(subject)}</span> {pinned && <span className="faint">pinned</span>}
        </span>
      ),
    },
    {
      title: 'Until',
      phone: 'status',
      cell: ({ days_left }) => {
        const { text, tone } = expiry(days_left)
        return <Status shape={shapes[tone]}>{text}</Status>
      },
    },
    {
      title: 'Validity',
      grow: true,
      cell: ({ not_before, not_after, days_left }) => (
        <Validity from={not_before} to={not_after} tone={expiry(days_left).tone} span={span} now={now} bare />
      ),
    },
    { title: 'Roles', cell: (each) => <Roles of={each} /> },
    { title: 'Lists', cell: ({ lists, pinned }) => lists.join(', ') || <NoList isPinned={pinned} /> },
    {
      title: 'Clients',
      right: true,
      phone: 'fact',
      cell: ({ clients }) => (clients === 0 ? <None /> : count(clients)),
    },
    { title: 'Last login', right: true, phone: 'time', cell: ({ last_login }) => <Time at={last_login} /> },
  ]
}

const None = () => (
  <span className="faint">
    <span aria-hidden="true">·</span>
    <span className="unseen">none</span>
  </span>
)

const NoList = ({ isPinned }: { isPinned: boolean }) => (isPinned ? <None /> : <span className="faint">none</span>)

function Roles({ of: { role_names: names, roles } }: { of: Trusted }) {
  const shown = names.slice(0, 2)
  return (
    <span>
      {shown.map((name, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <Link to="/server/certificates/roles/$role" params={{ role: name }}>
            {name}
          </Link>
        </span>
      ))}
      {roles > shown.length && (
        <span className="faint" data-tip={names.join('\n')}>
          {' '}
          +{count(roles - shown.length)}
        </span>
      )}
    </span>
  )
}
