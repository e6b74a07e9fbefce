import { getRouteApi, Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button, buttonClass } from '../../kit/Button.tsx'
import { FilterBar, Search } from '../../kit/Filters.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { Status } from '../../kit/Status.tsx'
import { type Column, FootEnd, Table, TextButton } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { PolicyLinks } from '../policies/PolicyLinks.tsx'
import { CertificatePage } from './CertificatePage.tsx'
import { useMount } from './mounts.tsx'
import { expiry } from './reasons.ts'
import type { RolesSearch } from './searches.ts'

const route = getRouteApi('/server/certificates/roles/')
const pageSize = 50

type Role = Schemas['CertRoleSummary']

/** The roles of a mount, with what becomes of their logins. */
export function RolesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mount = useMount()
  const query = { limit: pageSize, ...search }
  const asked = useAnswer('cert-summary.roles', { params: { query } }, { mount, keep: true, every: 60_000 })
  const change = (next: RolesSearch) => navigate({ search: next as never })
  return (
    <CertificatePage
      title="Roles"
      actions={
        <Link to="/server/certificates/new-role" className={buttonClass('primary')}>
          New role
        </Link>
      }
    >
      <Answer of={asked} failed="The roles could not be read">
        {({ data: { roles, total } }) =>
          total === 0 && search.search === undefined ? (
            <NoRoles mount={mount} />
          ) : (
            <>
              <FilterBar>
                <Search
                  label="Search by name"
                  value={search.search ?? ''}
                  change={(text) => change(text ? { search: text } : {})}
                />
              </FilterBar>
              <Table
                label="Roles"
                columns={columns}
                rows={roles}
                keyOf={({ name }) => name}
                nothing={
                  <>
                    Nothing matches. <TextButton onClick={() => change({})}>Clear the filters</TextButton>
                  </>
                }
                foot={<Foot roles={roles} total={total} search={search} change={change} />}
              />
            </>
          )
        }
      </Answer>
    </CertificatePage>
  )
}

type FootProps = {
  readonly roles: readonly Role[]
  readonly total: number
  readonly search: RolesSearch
  readonly change: (next: RolesSearch) => void
}

function Foot({ roles, total, search: { after, search }, change }: FootProps) {
  const last = roles.at(-1)
  const isWhole = after === undefined && roles.length === total
  return (
    <>
      <span className="number">
        {counted(total, 'role')}
        {!isWhole && `, showing ${count(roles.length)}`}
      </span>
      {!isWhole && (
        <FootEnd>
          <Button
            small
            reason={after === undefined ? 'This is the first page.' : undefined}
            onClick={() => change(search ? { search } : {})}
          >
            First
          </Button>{' '}
          <Button
            small
            reason={roles.length < pageSize ? 'This is the last page.' : undefined}
            onClick={() => change({ ...(search ? { search } : {}), after: last?.name })}
          >
            Next
          </Button>
        </FootEnd>
      )}
    </>
  )
}

const trustShape = { ok: 'done', warn: 'risk', bad: 'failed' } as const

const columns: readonly Column<Role>[] = [
  {
    title: 'Name',
    phone: 'name',
    grow: true,
    cell: ({ name }) => (
      <Link to="/server/certificates/roles/$role" params={{ role: name }}>
        {name}
      </Link>
    ),
  },
  {
    title: 'Trusts',
    cell: ({ pinned, certificates }) => (pinned ? 'one certificate' : counted(certificates, 'CA')),
  },
  {
    title: 'Until',
    phone: 'status',
    cell: ({ days_left, not_after }) => {
      const { text, tone } = expiry(days_left)
      return (
        <Status shape={trustShape[tone]} term={`The first of its certificates expires at ${not_after}`}>
          {text}
        </Status>
      )
    },
  },
  {
    title: 'Policies',
    cell: ({ token_policies }) => <PolicyLinks names={token_policies} />,
  },
  {
    title: 'Logins in 24 h',
    right: true,
    cell: ({ accepted }) => <Zero value={accepted} label="no login" />,
  },
  {
    title: 'Refused',
    right: true,
    phone: 'fact',
    cell: ({ refused, name }) =>
      refused === 0 ? (
        <Zero value={0} label="none refused" />
      ) : (
        <Link to="/server/certificates/roles/$role" params={{ role: name }} search={{ tab: 'refused' }}>
          {count(refused)} refused
        </Link>
      ),
  },
  { title: 'Last login', right: true, phone: 'time', cell: ({ last_login }) => <Time at={last_login} /> },
]

const Zero = ({ value, label }: { value: number; label: string }) =>
  value === 0 ? (
    <span className="faint">
      <span aria-hidden="true">·</span>
      <span className="unseen">{label}</span>
    </span>
  ) : (
    count(value)
  )

const NoRoles = ({ mount }: { mount: string }) => (
  <Empty
    title="No roles yet"
    action={
      <Link to="/server/certificates/new-role" className={buttonClass('primary')}>
        New role
      </Link>
    }
    command={`holdfast write auth/${mount}/certs/web certificate=@ca.pem allowed_common_names='web-*' token_policies=web`}
  >
    A role says which certificates may log in, and what their tokens may do. It trusts one or more CAs, or pins one
    certificate.
  </Empty>
)
