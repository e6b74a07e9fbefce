import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { Facts, Section } from '../../kit/Page.tsx'
import { type Column, Table } from '../../kit/Table.tsx'

type Uses = Schemas['PolicyUse']
type User = { readonly key: string; readonly kind: string; readonly name: ReactNode; readonly how: string }

/** Who has a policy, and by what. */
export function PolicyUses({ name }: { name: string }) {
  const asked = useAnswer('policies.uses', { params: { path: { name } } })
  return (
    <Answer of={asked} failed="Who has the policy could not be read">
      {({ data }) => (
        <>
          <Section
            title="Tokens"
            lead="Tokens that carry the policy themselves; those of the entities below come on top."
          >
            <Facts of={[['Living tokens', count(data.tokens)]]} />
          </Section>
          <Section
            title="Entities and roles"
            lead="They give the policy to their tokens. At most 100 of each kind are shown."
          >
            <Table
              label="Who has the policy"
              columns={columns}
              rows={usersOf(data)}
              keyOf={({ key }) => key}
              nothing="No entity and no role gives it to its tokens."
              foot={counted(usersOf(data).length, 'row')}
            />
          </Section>
        </>
      )}
    </Answer>
  )
}

const usersOf = ({ entities, certificate_roles, token_roles }: Uses): readonly User[] => [
  ...entities.map(({ id, name }) => ({
    key: `entity ${id}`,
    kind: 'Entity',
    name: (
      <Link to="/server/secrets/entities/$entity" params={{ entity: id }}>
        {name}
      </Link>
    ),
    how: 'All its tokens have it, from their next request',
  })),
  ...certificate_roles.map(({ mount, name }) => ({
    key: `role ${mount} ${name}`,
    kind: 'Role of certificate login',
    name: (
      <Link
        to="/server/certificates/roles/$role"
        params={{ role: name }}
        search={{ mount: mount.replace(/^auth\/|\/$/g, '') } as never}
      >
        {name}
      </Link>
    ),
    how: `Tokens of logins at ${mount} get it`,
  })),
  ...token_roles.map((name) => ({
    key: `token role ${name}`,
    kind: 'Token role',
    name,
    how: 'Tokens made by the role may have it',
  })),
]

const columns: readonly Column<User>[] = [
  { title: 'Name', phone: 'name', cell: ({ name }) => name },
  { title: 'Kind', phone: 'status', cell: ({ kind }) => kind },
  { title: 'How', grow: true, cell: ({ how }) => <span className="soft">{how}</span> },
]
