import { type Deps, perApp } from '../../../../../kit/deps.ts'
import type { OcspAnswer } from './ocsp-rules.ts'

const ocspMetrics = perApp(({ metrics }: Pick<Deps, 'metrics'>) => ({
  answers: metrics.counter('holdfast_ocsp_answers_total', 'OCSP responses by result.', ['answer']),
  seconds: metrics
    .histogram(
      'holdfast_ocsp_seconds',
      'Time to get an OCSP response, including retries, in seconds.',
      [],
      secondsBuckets,
    )
    .series(),
}))

/** In seconds; a login waits 15 at most. */
const secondsBuckets: readonly number[] = [0.01, 0.05, 0.1, 0.5, 1, 5, 15]

/** Counts what a responder answered, or that there was no usable answer. */
export function countAnswer(deps: Deps, { kind }: OcspAnswer, milliseconds: number): void {
  const { answers, seconds } = ocspMetrics(deps)
  answers.inc({ answer: kind })
  seconds.observe(milliseconds / 1_000)
}
