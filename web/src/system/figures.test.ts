import { expect, test } from 'vitest'
import { figuresOf, readSample } from './figures.ts'

const text = (requests: number, seconds: number) => `# HELP holdfast_http_request_seconds How long.
holdfast_http_request_seconds_count{api="v1"} ${requests}
holdfast_http_request_seconds_count{api="v2"} 1
holdfast_http_request_seconds_sum ${seconds}
holdfast_http_requests_in_flight 2
holdfast_odd NaN`

const valuesOf = (title: string, texts: readonly string[]) =>
  figuresOf(texts.map((each, at) => readSample(each, at * 5_000))).find((figure) => figure.title === title)?.values

test('figures: the labels of a name are summed up, and what is no number is left out', () => {
  const { sums } = readSample(text(9, 1), 0)
  expect(Object.fromEntries(sums)).toEqual({
    holdfast_http_request_seconds_count: 10,
    holdfast_http_request_seconds_sum: 1,
    holdfast_http_requests_in_flight: 2,
  })
})

test('figures: counters are told by the second, and begin anew after a restart', () => {
  expect(valuesOf('Requests', [text(9, 1), text(19, 2), text(3, 0)])).toEqual([null, 2, null])
  expect(valuesOf('Time of a request', [text(9, 1), text(19, 2), text(19, 2)])).toEqual([null, 0.1, null])
  expect(valuesOf('In progress', [text(9, 1), text(9, 1)])).toEqual([2, 2])
})

test('figures: what a node does not tell is left out', () => {
  expect(valuesOf('Room on the disk', [text(1, 1), text(1, 1)])).toBeUndefined()
})
