import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'

/** The names of policies, each leading to its page. */
export const PolicyLinks = ({ names, none = 'none' }: { names: readonly string[]; none?: string }) =>
  names.length === 0 ? (
    <span className="soft">{none}</span>
  ) : (
    names.map((name, at) => (
      <Fragment key={name}>
        {at > 0 && ', '}
        <Link to="/server/secrets/policies/$" params={{ _splat: name }}>
          {name}
        </Link>
      </Fragment>
    ))
  )
