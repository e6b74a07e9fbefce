import { useLayoutEffect, useRef, useState } from 'react'
import styles from './Chart.module.css'
import { type Shape, StatusShape, StatusShapeAt } from './Status.tsx'

/** What stands above one place of the time axis. */
export type ChartPoint = {
  readonly key: string
  /** What is told when one points at it. */
  readonly tip: string
  /** Written below some of the places. */
  readonly date: string
  readonly bar: number | null
  readonly line?: number | null
  readonly mark?: Shape | undefined
}

type ChartProps = {
  /** What it shows, in one sentence, for those who cannot see it. */
  readonly label: string
  /** The points, at most as many as there is room for, oldest first. */
  readonly points: (most: number) => readonly ChartPoint[]
  readonly barText: (value: number) => string
  /** Without it there is no line. */
  readonly lineText?: (value: number) => string
  readonly legend?: readonly { readonly label: string; readonly shape: Shape | 'bar' | 'line' }[]
}

const pitch = 16
const left = 58
const right = 8
const bars = { top: 12, height: 62 }
const line = { top: 98, height: 36 }

/** Bars, a line below them, and a mark for each place of the time axis. */
export function Chart({ label, points: pointsOf, barText, lineText, legend }: ChartProps) {
  const frame = useRef<HTMLElement>(null)
  const width = useWidth(frame)
  const room = Math.max(pitch, width - left - right)
  const points = pointsOf(Math.floor(room / pitch))
  const step = room / Math.max(1, points.length)
  const hasLine = lineText !== undefined && points.some((point) => point.line)
  const hasMarks = points.some(({ mark }) => mark)
  const marksAt = hasLine ? line.top + line.height + 10 : bars.top + bars.height + 10
  const datesAt = hasMarks ? marksAt + 32 : marksAt + 12
  return (
    <figure ref={frame} className={styles.chart}>
      <svg width="100%" height={datesAt + 6} role="img" aria-label={label}>
        <Bars points={points} step={step} width={width} text={barText} />
        {hasLine && <Line points={points} step={step} width={width} text={lineText} />}
        {points.map(({ key, mark }, at) =>
          mark ? <StatusShapeAt key={key} shape={mark} x={left + (at + 0.5) * step - 6} y={marksAt} size={12} /> : null,
        )}
        <Dates points={points} step={step} y={datesAt} />
        {points.map(({ key, tip }, at) => (
          <rect
            key={key}
            className={styles.hit}
            data-tip={tip}
            x={left + at * step}
            y={0}
            width={step}
            height={datesAt - 12}
          />
        ))}
      </svg>
      {legend && <Legend of={legend} />}
    </figure>
  )
}

function useWidth(frame: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(600)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [frame])
  return width
}

/** The next round number, of which a half is round, too. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const unit = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 5, 10].map((factor) => factor * unit).find((round) => round >= value) ?? value
}

type PartProps = {
  readonly points: readonly ChartPoint[]
  readonly step: number
  readonly width: number
  readonly text: (value: number) => string
}

function Bars({ points, step, width, text }: PartProps) {
  const most = roundUp(Math.max(0, ...points.map(({ bar }) => bar ?? 0)))
  const y = (value: number): number => bars.top + bars.height * (1 - value / most)
  const gap = Math.min(5, step * 0.2)
  const last = points.findLastIndex(({ bar }) => bar !== null)
  return (
    <>
      {[most, most / 2, 0].map((value) => (
        <Grid key={value} y={y(value)} width={width} text={value === 0 ? '0' : text(value)} />
      ))}
      {points.map(({ key, bar }, at) =>
        bar === null ? null : (
          <rect
            key={key}
            className={at === last ? styles.newest : styles.bar}
            x={left + at * step + gap / 2}
            y={y(bar)}
            width={Math.max(1, step - gap)}
            height={Math.max(1, bars.top + bars.height - y(bar))}
            rx={1.5}
          />
        ),
      )}
    </>
  )
}

function Line({ points, step, width, text }: PartProps) {
  const most = roundUp(Math.max(0, ...points.map((point) => point.line ?? 0)))
  const y = (value: number): number => line.top + line.height * (1 - value / most)
  const places = points.flatMap((point, at) => (point.line ? [{ x: left + (at + 0.5) * step, y: y(point.line) }] : []))
  const end = places.at(-1)
  return (
    <>
      {[most, 0].map((value) => (
        <Grid key={value} y={y(value)} width={width} text={value === 0 ? '0' : text(value)} />
      ))}
      <polyline className={styles.line} points={places.map((at) => `${at.x},${at.y}`).join(' ')} />
      {end && <circle className={styles.newest} cx={end.x} cy={end.y} r={3} />}
    </>
  )
}

const Grid = ({ y, width, text }: { y: number; width: number; text: string }) => (
  <>
    <line className={styles.grid} x1={left} x2={Math.max(left, width - right)} y1={y} y2={y} />
    <text className={styles.text} x={left - 8} y={y + 4} textAnchor="end">
      {text}
    </text>
  </>
)

function Dates({ points, step, y }: { points: readonly ChartPoint[]; step: number; y: number }) {
  const last = points.length - 1
  const wanted = step * points.length > 420 ? [0, Math.round(last / 3), Math.round((last * 2) / 3), last] : [0, last]
  return [...new Set(wanted)].map((at) => (
    <text
      key={at}
      className={styles.text}
      x={at === 0 ? left : at === last ? left + points.length * step : left + (at + 0.5) * step}
      y={y}
      textAnchor={at === 0 ? 'start' : at === last ? 'end' : 'middle'}
    >
      {points[at]?.date}
    </text>
  ))
}

const Legend = ({ of }: { of: NonNullable<ChartProps['legend']> }) => (
  <figcaption className={styles.legend}>
    {of.map(({ label, shape }) => (
      <span key={label}>
        {shape === 'bar' || shape === 'line' ? (
          <i className={styles[`${shape}Sample`]} />
        ) : (
          <StatusShape shape={shape} />
        )}
        {label}
      </span>
    ))}
  </figcaption>
)
