/** One side of a comparison. */
export type Contender = {
  name: string
  /** Works for this many milliseconds and returns how many operations were done. */
  run(ms: number): Promise<number>
  /** Processor time of the side that is measured, in microseconds since it started. */
  cpu?(): Promise<number>
  /** The target: the lowest acceptable ratio to the baseline. */
  target?: number
}

/** How long and how often to measure. */
export type Pace = { rounds: number; roundMs: number; warmupMs: number }

/**
 * The result of one contender. `ratio` is the median over the rounds of its rate against the baseline's in the same
 * round.
 */
export type RateRow = {
  name: string
  perSecond: number
  ratio: number
  /** Least and greatest ratio of a round. */
  spread: readonly [number, number]
  /** Processor time of the server for one operation, if known; steadier than rates on a shared machine. */
  cpuMicros: number | undefined
  target: number | undefined
}

/** What one round measured of a contender. */
export type Sample = { rate: number; cpuMicros: number | undefined }

/** Measures contenders against the first one, which is the baseline. */
export async function compareRates(contenders: readonly Contender[], pace: Pace): Promise<RateRow[]> {
  const samples = await takeSamples(contenders, pace)
  return contenders.map((contender, index) => rowOf(contender, samples[index] ?? [], samples[0] ?? []))
}

/**
 * Measures each contender once in every round, and every other round in reverse order, so that other work on the
 * machine affects all alike.
 */
export async function takeSamples(contenders: readonly Contender[], pace: Pace): Promise<Sample[][]> {
  for (const contender of contenders) await contender.run(pace.warmupMs)
  const samples = contenders.map((): Sample[] => [])
  for (let round = 0; round < pace.rounds; round++) {
    const order = [...contenders.keys()]
    if (round % 2 === 1) order.reverse()
    for (const index of order) {
      const contender = contenders[index]
      if (contender !== undefined) samples[index]?.push(await sample(contender, pace.roundMs))
    }
  }
  return samples
}

async function sample(contender: Contender, ms: number): Promise<Sample> {
  const cpuBefore = await contender.cpu?.()
  const begin = performance.now()
  const count = await contender.run(ms)
  const seconds = (performance.now() - begin) / 1000
  const cpuAfter = await contender.cpu?.()
  const used = cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / count
  return { rate: count / seconds, cpuMicros: used }
}

function rowOf({ name, target }: Contender, own: readonly Sample[], baseline: readonly Sample[]): RateRow {
  const ratios = own.map((each, round) => each.rate / (baseline[round]?.rate ?? Number.NaN))
  const cpu = own.flatMap((each) => (each.cpuMicros === undefined ? [] : [each.cpuMicros]))
  return {
    name,
    perSecond: median(own.map((each) => each.rate)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    cpuMicros: cpu.length === 0 ? undefined : median(cpu),
    target,
  }
}

/** Processor times of two contenders, and the ratio of the second to the first. */
type CpuComparison = {
  times: [first: number, second: number]
  /** The median of the ratios of the rounds. */
  ratio: number
  /** What the middle half of these ratios lies between. */
  range: [number, number]
}

/** Compares the processor time of two contenders round by round. */
export function compareCpu(first: readonly Sample[], second: readonly Sample[]): CpuComparison {
  const [before = [], after = []] = [first, second].map((samples) =>
    samples.map(({ cpuMicros = Number.NaN }) => cpuMicros),
  )
  const ratios = after.map((each, round) => each / (before[round] ?? Number.NaN)).sort((a, b) => a - b)
  const half = Math.ceil(ratios.length / 2)
  return {
    times: [median(before), median(after)],
    ratio: median(ratios),
    range: [median(ratios.slice(0, half)), median(ratios.slice(-half))],
  }
}

/** The middle value; of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2
}
