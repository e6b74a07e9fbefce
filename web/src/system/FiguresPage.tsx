import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../api/client.ts'
import { NeedsServiceToken } from '../frame/NeedsServiceToken.tsx'
import { Answer } from '../kit/Answer.tsx'
import { count, size } from '../kit/numbers.ts'
import { Page } from '../kit/Page.tsx'
import { Spark, Sparks } from '../kit/Spark.tsx'
import { duration } from '../kit/times.ts'
import { type Figure, figuresOf, readSample, type Sample } from './figures.ts'
import { systemTabs } from './systemTabs.ts'

const everyMs = 5_000
const most = 120
const key = ['status.metrics']

/** How the node that answers is doing, as long as one looks: monitoring systems keep such figures for longer. */
export function FiguresPage() {
  return (
    <Page
      title="System"
      tabs={systemTabs}
      facts={<span>Of the node that answers, every five seconds. Monitoring systems read them at /metrics.</span>}
    >
      <NeedsServiceToken what="Figures are read">
        <Charts />
      </NeedsServiceToken>
    </Page>
  )
}

function Charts() {
  const queries = useQueryClient()
  const asked = useQuery({
    queryKey: key,
    queryFn: async () => {
      const response = await fetch('/v1/sys/metrics')
      if (!response.ok) throw new ApiFailure(response, await response.json().catch(() => undefined))
      const before = queries.getQueryData<readonly Sample[]>(key) ?? []
      return [...before, readSample(await response.text(), Date.now())].slice(-most)
    },
    refetchInterval: everyMs,
    staleTime: 0,
  })
  return (
    <Answer of={asked} failed="The figures could not be read">
      {(samples) => (
        <Sparks>
          {figuresOf(samples).map((figure) => (
            <Spark key={figure.title} title={figure.title} values={figure.values} text={texts[figure.unit]} />
          ))}
        </Sparks>
      )}
    </Answer>
  )
}

const texts: Readonly<Record<Figure['unit'], (value: number) => string>> = {
  count: (value) => count(Math.round(value)),
  bytes: size,
  seconds: (value) => (value < 1 ? `${Number((value * 1000).toPrecision(2))} ms` : duration(value)),
  perSecond: (value) => `${Number(value.toPrecision(2))} per s`,
}
