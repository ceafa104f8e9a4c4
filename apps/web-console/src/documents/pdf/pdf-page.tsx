import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Pdf } from '../../shared/pdf/open-pdf.ts'
import type { PageSize } from './mark-geometry.ts'
import classes from './pdf.module.css'

export interface PdfPageProps {
  pdf: Pdf
  pageNumber: number
  /** Size of a page that is not loaded yet: that of most pages of the document. */
  expected: PageSize
  /** What lies over the page. */
  overlay?: ((page: PageSize) => ReactNode) | undefined
}

/** Pages are rendered when they are within one screen of the viewport. */
const AHEAD = '100% 0px'

/** One page: rendered when it comes near the viewport, with its text for screen readers. */
export function PdfPage({ pdf, pageNumber, expected, overlay }: PdfPageProps) {
  const { t } = useTranslation('documents')
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const near = useNear(frame)
  const { size, text, isDone } = useDrawn(pdf, pageNumber, canvas, near)
  const shown = size ?? expected
  return (
    <div
      ref={frame}
      className={classes.page}
      data-page={pageNumber}
      aria-busy={near && !isDone}
      style={{ aspectRatio: `${shown.width} / ${shown.height}` }}
    >
      <canvas ref={canvas} className={classes.canvas} role="img" aria-label={pageLabel()} />
      {text && <VisuallyHidden>{text}</VisuallyHidden>}
      {size && overlay?.(size)}
    </div>
  )

  function pageLabel() {
    return t('pdf.page', { page: pageNumber, pages: pdf.numPages })
  }
}

/** Whether an element has come near the viewport; it stays true. */
function useNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: AHEAD },
    )
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [element])
  return near
}

interface Drawn {
  readonly size?: PageSize
  readonly text?: string
  /** Whether picture and text are complete, as far as the page has them. */
  readonly isDone?: boolean
}

function useDrawn(
  pdf: Pdf,
  pageNumber: number,
  canvas: React.RefObject<HTMLCanvasElement | null>,
  near: boolean,
): Drawn {
  const [drawn, setDrawn] = useState<Drawn>({})
  useEffect(() => {
    if (!near) return
    const abort = new AbortController()
    void draw(pdf, pageNumber, canvas.current!, abort.signal, setDrawn)
    return () => abort.abort()
  }, [pdf, pageNumber, canvas, near])
  return drawn
}

type Page = Awaited<ReturnType<Pdf['getPage']>>

/** As sharp as the screen, within the memory of phones. */
const MOST_PIXELS = 4_000_000

async function draw(
  pdf: Pdf,
  pageNumber: number,
  canvas: HTMLCanvasElement,
  signal: AbortSignal,
  onDrawn: (drawn: Drawn) => void,
): Promise<void> {
  const page = await pdf.getPage(pageNumber)
  const { width, height } = page.getViewport({ scale: 1 })
  if (signal.aborted) return
  onDrawn({ size: { width, height } })
  const wanted = (canvas.clientWidth / width) * devicePixelRatio
  const viewport = page.getViewport({ scale: Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height))) })
  canvas.width = Math.round(viewport.width)
  canvas.height = Math.round(viewport.height)
  const task = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => task.cancel(), { once: true })
  // A cancelled rendering is no failure; the text of a page that cannot be rendered may still be read.
  await task.promise.catch(() => {})
  const text = await textOf(page).catch(() => '')
  if (!signal.aborted) onDrawn({ size: { width, height }, text, isDone: true })
}

async function textOf(page: Page): Promise<string> {
  const content = await page.getTextContent()
  return content.items.map((item) => ('str' in item ? item.str : '')).join(' ')
}
