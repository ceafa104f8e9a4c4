import type { Stretch } from './module-mutants.ts'

/** The id of a stretch, the same in every process. */
export const stretchId = (module: string, { start, end }: Stretch): string => `${module}:${start}-${end}`

const call = (id: string) => `globalThis.chancelaReached?.(${JSON.stringify(id)})`

/** How to instrument a stretch without changing its behaviour. */
const probes: Readonly<Record<Stretch['kind'], (id: string) => readonly [before: string, after: string]>> = {
  statement: (id) => [`${call(id)};`, ''],
  bare: (id) => [`{${call(id)};`, '}'],
  expression: (id) => [`(${call(id)}, `, ')'],
}

interface Insertion {
  readonly at: number
  /** At one offset: first the closing parts, innermost first, then the opening parts, outermost first. */
  readonly order: number
  readonly text: string
}

/** The source with a call at the beginning of each of its stretches that reports its execution. */
export function probed(module: string, source: string, stretches: readonly Stretch[]): string {
  const insertions = distinct(stretches).flatMap((stretch, index) => insertionsOf(module, stretch, index))
  const sorted = insertions.toSorted((a, b) => a.at - b.at || a.order - b.order)
  let from = 0
  const pieces = sorted.map(({ at, text }) => {
    const piece = source.slice(from, at) + text
    from = at
    return piece
  })
  return pieces.join('') + source.slice(from)
}

/** Outer ones first. */
const distinct = (stretches: readonly Stretch[]): Stretch[] =>
  [...new Map(stretches.map((one) => [`${one.start}-${one.end}`, one])).values()].toSorted(
    (a, b) => a.start - b.start || b.end - a.end,
  )

function insertionsOf(module: string, stretch: Stretch, index: number): Insertion[] {
  const [before, after] = probes[stretch.kind](stretchId(module, stretch))
  const opened = { at: stretch.start, order: index, text: before }
  return after === '' ? [opened] : [opened, { at: stretch.end, order: -index - 1, text: after }]
}
