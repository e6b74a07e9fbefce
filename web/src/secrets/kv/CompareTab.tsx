import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { isMissing } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { Diff, type DiffAttribute } from '../../kit/Diff.tsx'
import { FilterBar, Select } from '../../kit/Filters.tsx'
import { Note } from '../../kit/Page.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { callIn, type Metadata, nameOf, type Spot, useMetadata } from './engine.ts'
import { fateOf, textOf } from './values.ts'

type CompareProps = { readonly spot: Spot; readonly from: number | undefined; readonly to: number | undefined }

/** What differs between two versions. */
export function CompareTab({ spot, from, to }: CompareProps) {
  const asked = useMetadata(spot)
  return (
    <Answer of={asked} failed="The versions could not be read">
      {({ data }) => {
        const readable = readableOf(data)
        const [later, earlier] = [to ?? readable[0], from ?? readable.find((each) => each < (to ?? readable[0] ?? 0))]
        if (later === undefined || earlier === undefined)
          return <Note tone="calm">Fewer than two versions can be read, so there is nothing to compare.</Note>
        return <Compared key={`${earlier} ${later}`} spot={spot} from={earlier} to={later} readable={readable} />
      }}
    </Answer>
  )
}

/** The versions that can be read, newest first. */
const readableOf = ({ versions }: Metadata): readonly number[] =>
  Object.entries(versions)
    .filter(([, version]) => fateOf(version, true) === 'current')
    .map(([number]) => Number(number))
    .sort((a, b) => b - a)

type ComparedProps = { spot: Spot; from: number; to: number; readable: readonly number[] }

function Compared({ spot, from, to, readable }: ComparedProps) {
  const navigate = useNavigate()
  const params = { path: { path: spot.key }, query: { from, to } }
  const asked = useAnswer('kv.diff', { params }, { mount: spot.engine.path })
  const { values, show, hide } = useShownValues(spot, from, to)
  const choices = [...new Set([...readable, from, to])]
    .sort((a, b) => b - a)
    .map((number) => [String(number), `Version ${number}`] as const)
  const change = (next: { from: number; to: number }) =>
    navigate({
      to: '/server/secrets/secret/$',
      params: { _splat: nameOf(spot) },
      search: { tab: 'compare', ...next },
    })
  return (
    <>
      <FilterBar>
        <Select
          label="Earlier version"
          value={String(from)}
          choices={choices}
          change={(number) => change({ from: Number(number), to })}
        />
        <Select
          label="Later version"
          value={String(to)}
          choices={choices}
          change={(number) => change({ from, to: Number(number) })}
        />
        {values ? <Button onClick={hide}>Hide values</Button> : <Button onClick={show}>Show values</Button>}
      </FilterBar>
      {isMissing(asked.error) ? (
        <Note tone="calm">One of these versions is deleted or destroyed, so they cannot be compared.</Note>
      ) : (
        <Answer of={asked} failed="The versions could not be compared">
          {({ data }) => <Differences found={data} values={values} name={nameOf(spot)} />}
        </Answer>
      )}
    </>
  )
}

type Sides = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>

/** How long values are shown, in milliseconds. */
const shownFor = 60_000

/** The values on both sides, while one looks at them. */
function useShownValues(spot: Spot, from: number, to: number) {
  const [values, setValues] = useState<Sides>()
  const say = useToasts()
  useEffect(() => {
    const timer = values ? setTimeout(() => setValues(undefined), shownFor) : undefined
    return () => clearTimeout(timer)
  }, [values])
  const show = async () => {
    const query = { from, to, values: true } as never
    try {
      const { data } = await callIn(spot, 'kv.diff', { params: { path: { path: spot.key }, query } })
      setValues((data as { values?: Sides }).values ?? {})
    } catch (error) {
      say.failed('The values could not be read', error)
    }
  }
  return { values, show, hide: () => setValues(undefined) }
}

type Found = { from: number; to: number; added: string[]; removed: string[]; changed: string[] }

function Differences({ found, values, name }: { found: Found; values: Sides | undefined; name: string }) {
  const side = (key: string, which: 'from' | 'to') => (values ? textOf(values[key]?.[which]) : '')
  const isSecret = values === undefined
  const attributes: readonly DiffAttribute[] = [
    ...found.removed.map((key) => ({ name: key, before: side(key, 'from'), isSecret })),
    ...found.changed.map((key) => ({ name: key, before: side(key, 'from'), after: side(key, 'to'), isSecret })),
    ...found.added.map((key) => ({ name: key, after: side(key, 'to'), isSecret })),
  ]
  if (attributes.length === 0) return <Note tone="ok">Nothing differs between these versions.</Note>
  return (
    <Diff titles={[`Version ${found.from}`, `Version ${found.to}`]} items={[{ action: 'change', name, attributes }]} />
  )
}
