import { ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '../../shared/api/request.ts'
import { IconButton } from '../../shared/icon-button.tsx'
import { Loading } from '../../shared/parts/loading.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import type { Pdf } from '../../shared/pdf/open-pdf.ts'
import type { PageSize } from './mark-geometry.ts'
import classes from './pdf.module.css'
import { PdfPage } from './pdf-page.tsx'
import { usePdf } from './use-pdf.ts'

export interface PdfReaderProps {
  source: string | File
  /** Changes when the content of the same address changes. */
  version?: string
  /** What lies over each page. */
  overlay?: ((pageNumber: number, page: PageSize) => ReactNode) | undefined
  /** The page shown at first; default 1. */
  startPage?: number | undefined
  /** Initial zoom; 1 is the width of the reader. */
  startZoom?: number | undefined
  /** Called with the page in view and its size. */
  onPage?: ((pageNumber: number, page: PageSize) => void) | undefined
}

/** A PDF to read, all its pages below each other. */
export function PdfReader({ source, version, ...pages }: PdfReaderProps) {
  const { t } = useTranslation('documents')
  const { data: pdf, error, refetch } = usePdf(source, version)
  if (pdf) return <Pages pdf={pdf} {...pages} />
  if (error instanceof CallFailure) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (error) return <p className={classes.unreadable}>{t('pdf.unreadable')}</p>
  return <Loading lines={12} />
}

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3]

function Pages({ pdf, overlay, startPage = 1, startZoom = 1, onPage }: Omit<PdfReaderProps, 'source'> & { pdf: Pdf }) {
  const { t } = useTranslation('documents')
  const scroller = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(startZoom)
  const expected = useFirstSize(pdf)
  const front = useFrontPage(scroller, expected !== undefined)
  useEffect(() => {
    if (!onPage) return
    let stale = false
    void sizeOf(pdf, front).then((size) => !stale && onPage(front, size))
    return () => {
      stale = true
    }
  }, [pdf, front, onPage])
  useEffect(() => {
    const page = scroller.current?.querySelector(`[data-page="${startPage}"]`)
    if (expected && startPage > 1) page?.scrollIntoView({ block: 'start', behavior: 'instant' })
  }, [expected, startPage])
  if (!expected) return <Loading lines={12} />
  const step = (by: -1 | 1) => {
    const next = by > 0 ? ZOOMS.find((one) => one > zoom) : ZOOMS.findLast((one) => one < zoom)
    if (next) setZoom(next)
  }
  return (
    <div className={classes.reader}>
      <div className={classes.tools}>
        <span aria-live="polite">{t('pdf.page', { page: front, pages: pdf.numPages })}</span>
        <span className={classes.zoom}>
          <IconButton icon={ZoomOut} label={t('pdf.smaller')} onClick={() => step(-1)} />
          {Math.round(zoom * 100)}%
          <IconButton icon={ZoomIn} label={t('pdf.larger')} onClick={() => step(1)} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <section ref={scroller} className={classes.pages} tabIndex={0} aria-label={t('pdf.label')}>
        {/* Rendered again at each zoom, so that text stays sharp. */}
        <div key={zoom} className={classes.sheet} style={{ width: `${zoom * 100}%` }}>
          {Array.from({ length: pdf.numPages }, (_, index) => index + 1).map((pageNumber) => (
            <PdfPage
              key={pageNumber}
              pdf={pdf}
              pageNumber={pageNumber}
              expected={expected}
              overlay={overlay && ((page) => overlay(pageNumber, page))}
            />
          ))}
        </div>
      </section>
    </div>
  )
}

async function sizeOf(pdf: Pdf, pageNumber: number): Promise<PageSize> {
  const { width, height } = (await pdf.getPage(pageNumber)).getViewport({ scale: 1 })
  return { width, height }
}

function useFirstSize(pdf: Pdf): PageSize | undefined {
  const [size, setSize] = useState<PageSize>()
  useEffect(() => {
    let stale = false
    void sizeOf(pdf, 1).then((first) => !stale && setSize(first))
    return () => {
      stale = true
    }
  }, [pdf])
  return size
}

/** The page that covers most of the reader's height. */
function useFrontPage(scroller: React.RefObject<HTMLElement | null>, ready: boolean): number {
  const [front, setFront] = useState(1)
  useEffect(() => {
    const element = scroller.current
    if (!ready || !element) return
    const look = () => setFront(frontPage(element))
    element.addEventListener('scroll', look, { passive: true })
    addEventListener('scroll', look, { passive: true })
    return () => {
      element.removeEventListener('scroll', look)
      removeEventListener('scroll', look)
    }
  }, [scroller, ready])
  return front
}

function frontPage(scroller: HTMLElement): number {
  const frame = scroller.getBoundingClientRect()
  const [top, bottom] = [Math.max(0, frame.top), Math.min(innerHeight, frame.bottom)]
  const seen = [...scroller.querySelectorAll<HTMLElement>('[data-page]')].map((page) => {
    const box = page.getBoundingClientRect()
    return { page: Number(page.dataset.page), height: Math.min(bottom, box.bottom) - Math.max(top, box.top) }
  })
  return seen.reduce((best, one) => (one.height > best.height ? one : best), { page: 1, height: 0 }).page
}
