import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { niceTicks } from './nice-ticks.ts'
import classes from './stacked-bars.module.css'
import { labelledPoints } from './time-axis.ts'

export interface Series {
  readonly key: string
  readonly name: string
  /** A variable of the palette. */
  readonly color: `--${string}`
  /** Distinguishes the series without relying on colour. */
  readonly pattern: 'solid' | 'hatch' | 'dots' | 'open'
}

interface ChartPoint {
  /** ISO 8601, start of the period the point sums up. */
  readonly at: string
  /** One value per series, in their order. */
  readonly values: readonly number[]
}

export interface StackedBarsProps {
  title: string
  /** One sentence that describes the chart to screen readers. */
  description: string
  series: readonly Series[]
  points: readonly ChartPoint[]
  formatPoint: (at: string) => string
  formatTick: (at: string) => string
  formatValue: (value: number) => string
  /** The smallest maximum of the axis, so that a single job does not fill the chart; default 1. */
  leastMax?: number
}

const HEIGHT = 200
const MARGIN = { top: 8, right: 4, bottom: 22, left: 48 }
const PLOT_HEIGHT = HEIGHT - MARGIN.top - MARGIN.bottom
const SPACE_PER_LABEL = 76

/**
 * Stacked bars of several series. The keyboard moves from bar to bar as on a slider, and the marked bar's values are
 * written below; the same numbers are in a table.
 */
export function StackedBars(props: StackedBarsProps) {
  const { points, series } = props
  const { ref, width: measured } = useElementSize<HTMLDivElement>()
  const [marked, setMarked] = useState<number>()
  const width = Math.max(measured, 200)
  const ticks = niceTicks(Math.max(props.leastMax ?? 1, ...points.map(({ values }) => sum(values))), 4)
  const plot = { width: width - MARGIN.left - MARGIN.right, top: ticks.at(-1)! }
  const step = plot.width / Math.max(1, points.length)
  const labelled = labelledPoints(points, Math.max(1, Math.floor(plot.width / SPACE_PER_LABEL)))
  const ids = useId()
  const current = marked === undefined ? undefined : points[marked]

  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <h3 className={classes.title}>{props.title}</h3>
        <Legend series={series} ids={ids} />
      </figcaption>
      <div
        ref={ref}
        className={classes.frame}
        role="slider"
        tabIndex={0}
        aria-label={props.title}
        aria-description={props.description}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={marked ?? Math.max(0, points.length - 1)}
        aria-valuetext={current ? sentence(current, props) : props.description}
        onKeyDown={(event) => move(event, marked, points.length, setMarked)}
        onPointerMove={(event) => setMarked(pointAt(event, step, points.length))}
        onPointerLeave={() => setMarked(undefined)}
        onBlur={() => setMarked(undefined)}
      >
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
          <Patterns series={series} ids={ids} />
          {ticks.map((tick) => (
            <g key={tick} transform={`translate(0 ${MARGIN.top + PLOT_HEIGHT * (1 - tick / plot.top)})`}>
              <line className={classes.grid} x1={MARGIN.left} x2={width - MARGIN.right} />
              <text className={classes.axis} x={MARGIN.left - 6} dy="0.32em" textAnchor="end">
                {props.formatValue(tick)}
              </text>
            </g>
          ))}
          {points.map((point, index) => (
            <g key={point.at} transform={`translate(${MARGIN.left + index * step} 0)`}>
              {index === marked && <rect className={classes.mark} y={MARGIN.top} width={step} height={PLOT_HEIGHT} />}
              {stack(point.values, plot.top).map(({ y, height }, place) =>
                height === 0 ? null : (
                  <rect
                    key={series[place]!.key}
                    x={step > 3 ? 0.5 : 0}
                    y={MARGIN.top + y}
                    width={Math.max(1, step - (step > 3 ? 1 : 0))}
                    height={height}
                    fill={fillOf(series[place]!, ids)}
                  />
                ),
              )}
              {labelled.has(index) && (
                <text className={classes.axis} {...labelPlace(index, step, plot.width)} y={HEIGHT - 6}>
                  {props.formatTick(point.at)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      <p className={classes.readout}>{current ? sentence(current, props) : props.description}</p>
      <NumbersTable {...props} />
    </figure>
  )
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Position of each part of a bar, from the top of the plot; a part that exists is at least a pixel high. */
function stack(values: readonly number[], top: number): { y: number; height: number }[] {
  let floor = PLOT_HEIGHT
  return values.map((value) => {
    const height = value === 0 ? 0 : Math.max(1, (value / top) * PLOT_HEIGHT)
    floor -= height
    return { y: floor, height }
  })
}

/** Centred under its bar; near the edge, where it would be cut off, aligned with the edge. */
function labelPlace(index: number, step: number, width: number) {
  const middle = (index + 0.5) * step
  if (middle + SPACE_PER_LABEL / 2 > width) return { x: width - index * step, textAnchor: 'end' } as const
  return { x: step / 2, textAnchor: 'middle' } as const
}

function pointAt(event: PointerEvent<HTMLElement>, step: number, count: number): number | undefined {
  const { left } = event.currentTarget.getBoundingClientRect()
  const index = Math.floor((event.clientX - left - MARGIN.left) / step)
  return index >= 0 && index < count ? index : undefined
}

const jumps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 8,
  PageUp: (at) => at + 8,
  Home: () => 0,
  End: (_at, last) => last,
}

function move(event: KeyboardEvent, marked: number | undefined, count: number, mark: (index: number) => void): void {
  const jump = jumps[event.key]
  if (!jump || count === 0) return
  event.preventDefault()
  const last = count - 1
  mark(marked === undefined ? last : Math.min(last, Math.max(0, jump(marked, last))))
}

/** A bar as text: its time, and every series with its value. */
function sentence({ at, values }: ChartPoint, { formatPoint, formatValue, series }: StackedBarsProps): string {
  return `${formatPoint(at)}: ${series.map(({ name }, place) => `${name} ${formatValue(values[place]!)}`).join(', ')}`
}

const fillOf = ({ key, color, pattern }: Series, ids: string) =>
  pattern === 'solid' ? `var(${color})` : `url(#${ids}${key})`

function Patterns({ series, ids }: { series: readonly Series[]; ids: string }) {
  return (
    <defs>
      {series
        .filter(({ pattern }) => pattern !== 'solid')
        .map(({ key, color, pattern }) => (
          <pattern
            key={key}
            id={`${ids}${key}`}
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform={pattern === 'hatch' ? 'rotate(45)' : undefined}
          >
            <rect width="5" height="5" fill={`color-mix(in srgb, var(${color}) 45%, var(--surface))`} />
            {pattern === 'hatch' && <rect width="2.5" height="5" fill={`var(${color})`} />}
            {pattern === 'dots' && <circle cx="2.5" cy="2.5" r="1.5" fill={`var(${color})`} />}
            {pattern === 'open' && <rect width="5" height="2" fill={`var(${color})`} />}
          </pattern>
        ))}
    </defs>
  )
}

function Legend({ series, ids }: { series: readonly Series[]; ids: string }) {
  return (
    <ul className={classes.legend}>
      {series.map((one) => (
        <li key={one.key}>
          <svg width="14" height="14" aria-hidden="true">
            <rect width="14" height="14" rx="2" fill={fillOf(one, ids)} />
          </svg>
          {one.name}
        </li>
      ))}
    </ul>
  )
}

/** The same in numbers; hours in which nothing happened are left out. */
function NumbersTable({ title, series, points, formatPoint, formatValue }: StackedBarsProps) {
  const { t } = useTranslation('batch-overview')
  const filled = points.filter(({ values }) => sum(values) > 0)
  return (
    <details className={classes.numbers}>
      <summary>{t('charts.numbers')}</summary>
      {filled.length === 0 ? (
        <p className={classes.readout}>{t('charts.nothing')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={classes.scroll} tabIndex={0} aria-label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('charts.from')}</th>
                {series.map(({ key, name }) => (
                  <th key={key} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {filled.map(({ at, values }) => (
                <tr key={at}>
                  <th scope="row">{formatPoint(at)}</th>
                  {values.map((value, place) => (
                    <td key={series[place]!.key}>{formatValue(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}
