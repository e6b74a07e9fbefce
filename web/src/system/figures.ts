/** The metrics of a node at one instant: the sum over the labels of each name. */
export type Sample = { readonly at: number; readonly sums: ReadonlyMap<string, number> }

/** Reads what the server writes for monitoring systems; of each name the sum over its labels. */
export function readSample(text: string, at: number): Sample {
  const sums = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_]+)(?:\{[^}]*\})? (\S+)$/.exec(line) ?? []
    const number = Number(value)
    if (name !== undefined && Number.isFinite(number)) sums.set(name, (sums.get(name) ?? 0) + number)
  }
  return { at, sums }
}

/** A figure over time. */
export type Figure = {
  readonly title: string
  readonly values: readonly (number | null)[]
  readonly unit: 'count' | 'bytes' | 'seconds' | 'perSecond'
}

type Measure = (now: Sample, before: Sample | undefined) => number | null

const value =
  (name: string): Measure =>
  ({ sums }) =>
    sums.get(name) ?? null

/** By how much a counter grew in a second; after a restart it begins anew. */
const rate =
  (name: string): Measure =>
  (now, before) => {
    const grown = (now.sums.get(name) ?? 0) - (before?.sums.get(name) ?? 0)
    return before && grown >= 0 ? grown / ((now.at - before.at) / 1000) : null
  }

/** How long something took on average between two samples. */
const mean =
  (name: string): Measure =>
  (now, before) => {
    if (!before) return null
    const grown = (suffix: string) =>
      (now.sums.get(`${name}_${suffix}`) ?? 0) - (before.sums.get(`${name}_${suffix}`) ?? 0)
    return grown('count') > 0 ? grown('sum') / grown('count') : null
  }

const measures: readonly (readonly [title: string, unit: Figure['unit'], measure: Measure])[] = [
  ['Requests', 'perSecond', rate('holdfast_http_request_seconds_count')],
  ['Time of a request', 'seconds', mean('holdfast_http_request_seconds')],
  ['In progress', 'count', value('holdfast_http_requests_in_flight')],
  ['Connections', 'count', value('holdfast_http_connections')],
  ['Memory', 'bytes', value('process_resident_memory_bytes')],
  ['Writes that wait', 'count', value('holdfast_database_write_queue')],
  ['Background work that is due', 'count', value('holdfast_jobs_due')],
  ['Room on the disk', 'bytes', value('holdfast_data_dir_free_bytes')],
]

/** The figures that people look at, from samples, the oldest first; those that this node does not tell are left out. */
export const figuresOf = (samples: readonly Sample[]): readonly Figure[] =>
  measures
    .map(([title, unit, measure]) => ({
      title,
      unit,
      values: samples.map((sample, at) => measure(sample, samples[at - 1])),
    }))
    .filter(({ values }) => samples.length < 2 || values.some((each) => each !== null))
