import { type PointerEvent, useRef, useState } from 'react'
import type { Target } from './flow-draft.ts'

/** What a card needs to be dragged. */
export interface CardDrag {
  /** The card that is dragged now. */
  readonly key: string | undefined
  /** The drop target under the pointer, by its `data-drop`. */
  readonly over: string | undefined
  readonly handle: (key: string) => {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void
    onPointerMove: (event: PointerEvent<HTMLElement>) => void
    onPointerUp: () => void
    onPointerCancel: () => void
  }
}

/** The `data-drop` value of a drop target. */
export const dropName = (target: Target): string =>
  'into' in target ? `into:${target.into}` : `before:${target.before}`

function targetOf(name: string): Target {
  const [kind, at] = name.split(':')
  return kind === 'into' ? { into: Number(at) } : { before: Number(at) }
}

/** Drags cards by mouse, touch or pen: the browser's own drag and drop does not support touch. */
export function useCardDrag(onDrop: (key: string, target: Target) => void): CardDrag {
  const [drag, setDrag] = useState<{ key: string; over: string | undefined }>()
  const current = useRef(drag)
  const become = (next: typeof drag) => {
    current.current = next
    setDrag(next)
  }
  return {
    key: drag?.key,
    over: drag?.over,
    handle: (key) => ({
      onPointerDown(event) {
        event.currentTarget.setPointerCapture(event.pointerId)
        become({ key, over: undefined })
      },
      onPointerMove({ clientX, clientY }) {
        if (current.current) become({ key, over: placeAt(clientX, clientY) })
      },
      onPointerUp() {
        const { over } = current.current ?? {}
        become(undefined)
        if (over) onDrop(key, targetOf(over))
      },
      onPointerCancel: () => become(undefined),
    }),
  }
}

const placeAt = (x: number, y: number): string | undefined =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]')?.dataset.drop
