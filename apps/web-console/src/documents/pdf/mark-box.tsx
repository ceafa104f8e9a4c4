import { VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { moved, type PageSize, type PlacedMark, resized } from './mark-geometry.ts'
import classes from './pdf.module.css'

export interface MarkBoxProps {
  mark: PlacedMark
  page: PageSize
  /** The signer of this mark. */
  name: string
  /** Absent where the mark cannot be moved. */
  onChange?: ((mark: PlacedMark) => void) | undefined
  onRemove?: (() => void) | undefined
  /** Whether the mark is the user's own. */
  own?: boolean
  /** Whether it was placed just now: it gets the focus, and is scrolled into view. */
  isNew?: boolean
}

/** Points an arrow key moves by; with Alt, one. */
const STRIDE = 10

const arrows: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A mark on a page: dragged, resized at its corner, or both with the keyboard. */
export function MarkBox({ mark, page, name, onChange, onRemove, own = true, isNew = false }: MarkBoxProps) {
  const { t } = useTranslation('documents')
  const hint = useId()
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears
  useEffect(() => {
    if (isNew) box.current?.focus()
  }, [])
  const drag = useDrag(mark, page, onChange)
  const place = {
    left: `${(mark.topLeftX / page.width) * 100}%`,
    top: `${(mark.topLeftY / page.height) * 100}%`,
    width: `${(mark.width / page.width) * 100}%`,
    height: `${(mark.height / page.height) * 100}%`,
  }

  function press(event: KeyboardEvent) {
    const arrow = arrows[event.key]
    if (arrow) {
      const stride = event.altKey ? 1 : STRIDE
      const change = event.shiftKey ? resized : moved
      onChange!(change(mark, arrow[0] * stride, arrow[1] * stride, page))
    } else if (onRemove && (event.key === 'Delete' || event.key === 'Backspace')) onRemove()
    else return
    event.preventDefault()
  }

  if (!onChange)
    return (
      <div className={classes.mark} data-own={own} data-fixed style={place}>
        <span className={classes.markName}>{name}</span>
      </div>
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot hold the corner by which it is resized
    <div
      ref={box}
      className={classes.mark}
      data-own={own}
      style={place}
      tabIndex={0}
      role="button"
      aria-label={t('pdf.mark', { name, page: mark.pageNumber })}
      aria-describedby={hint}
      onKeyDown={press}
      {...drag('move')}
    >
      <span className={classes.markName}>{name}</span>
      <VisuallyHidden id={hint}>{t('pdf.markHint')}</VisuallyHidden>
      <span className={classes.handle} {...drag('resize')} />
    </div>
  )
}

/** Follows a pointer from where it went down, in points of the page. */
function useDrag(mark: PlacedMark, page: PageSize, onChange: ((mark: PlacedMark) => void) | undefined) {
  const start = useRef<{ mark: PlacedMark; x: number; y: number; scale: number } | undefined>(undefined)
  return (kind: 'move' | 'resize') => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const sheet = event.currentTarget.closest<HTMLElement>('[data-page]')!
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = { mark, x: event.clientX, y: event.clientY, scale: sheet.clientWidth / page.width }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const from = start.current
      if (!from || !event.currentTarget.hasPointerCapture(event.pointerId)) return
      event.stopPropagation()
      const change = kind === 'move' ? moved : resized
      onChange?.(change(from.mark, (event.clientX - from.x) / from.scale, (event.clientY - from.y) / from.scale, page))
    },
    onPointerUp() {
      start.current = undefined
    },
  })
}
