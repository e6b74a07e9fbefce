import { useNavigate, useSearch } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import { callAt, type InputOf, type OperationName } from '../../api/client.ts'
import { Select } from '../../kit/Filters.tsx'
import { type MountSearch, usualMount } from './searches.ts'

/** The mount whose pages are shown, without the slash at its end. */
export function useMount(): string {
  const { mount = usualMount } = useSearch({ strict: false }) as MountSearch
  return mount
}

/** Calls an operation of the mount that is shown. */
export function useCallHere() {
  const mount = useMount()
  return <Name extends OperationName>(name: Name, input: InputOf<Name>) => callAt(mount, name, input)
}

type Mounts = Readonly<Record<string, { readonly type?: string }>>

/** The mounts of certificate login that the person may see; the one that is shown is always among them. */
function useMounts(): readonly string[] {
  const mount = useMount()
  const { data } = useAnswer('mounts.list-auth', {})
  const all = Object((data as { data?: Mounts } | undefined)?.data) as Mounts
  const found = Object.entries(all).filter(([, { type }]) => type === 'cert')
  return [...new Set([...found.map(([path]) => path.replace(/\/$/, '')), mount])].sort()
}

/** Which mount is shown, and the way to the others. */
export function MountSwitch() {
  const mount = useMount()
  const mounts = useMounts()
  const navigate = useNavigate()
  if (mounts.length < 2)
    return (
      <span>
        mount <code>{mount}/</code>
      </span>
    )
  const change = (next: string) => navigate({ to: '.', search: next === usualMount ? {} : ({ mount: next } as never) })
  return (
    <Select label="Mount" value={mount} choices={mounts.map((each) => [each, `${each}/`] as const)} change={change} />
  )
}
