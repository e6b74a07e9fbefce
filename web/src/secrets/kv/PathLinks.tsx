import { Link } from '@tanstack/react-router'
import type { Spot } from './engine.ts'

/** The folders above a secret or folder, each with a link. */
export function PathLinks({ of: { engine, key } }: { of: Spot }) {
  const mount = engine.path.replace(/\/$/, '')
  const names = key.split('/').slice(0, -1)
  const folders = names.map((name, at) => ({ name, path: [mount, ...names.slice(0, at + 1)].join('/') }))
  if (key === '') return <span>{engine.hasVersions ? 'versions are kept' : 'versions are not kept'}</span>
  return (
    <span>
      in{' '}
      {[{ name: mount, path: mount }, ...folders].map(({ name, path }) => (
        <Link key={path} to="/server/secrets/browse/$" params={{ _splat: path }}>
          {name}/
        </Link>
      ))}
    </span>
  )
}
