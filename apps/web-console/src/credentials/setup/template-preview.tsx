import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { drawPage } from '../../shared/pdf/draw-page.ts'
import type { Pdf } from '../../shared/pdf/open-pdf.ts'
import classes from './template-preview.module.css'

export interface TemplatePreviewProps {
  pdf: Pdf | undefined
  /** Why the draft cannot be drawn; what was drawn last stays. */
  failure: unknown
  isDrawing: boolean
}

/** The draft as it would look, with data that nobody has. */
export function TemplatePreview({ pdf, failure, isDrawing }: TemplatePreviewProps) {
  const { t } = useTranslation('credentials-setup')
  // An open PDF holds memory in its worker.
  useEffect(() => () => void pdf?.loadingTask.destroy(), [pdf])
  return (
    <Panel title={t('templates.preview')} lead={t('templates.previewLead')}>
      {failure !== null && failure !== undefined && <ProblemNote error={failure} />}
      {!pdf && <p role="status">{t(isDrawing ? 'templates.drawing' : 'templates.nothing')}</p>}
      {pdf && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
        <section className={classes.sheets} tabIndex={0} aria-label={t('templates.pages')} aria-busy={isDrawing}>
          {Array.from({ length: pdf.numPages }, (_, index) => index + 1).map((number) => (
            <Sheet key={number} pdf={pdf} number={number} />
          ))}
        </section>
      )}
    </Panel>
  )
}

function Sheet({ pdf, number }: { pdf: Pdf; number: number }) {
  const { t } = useTranslation('credentials-setup')
  const canvas = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    let stale = false
    drawPage(pdf, number, canvas.current!).then(
      (read) => !stale && setText(read),
      // Closed meanwhile: another one is shown.
      () => undefined,
    )
    return () => {
      stale = true
    }
  }, [pdf, number])
  return (
    <div className={classes.sheet}>
      <canvas ref={canvas} role="img" aria-label={t('templates.page', { page: number, pages: pdf.numPages })} />
      <VisuallyHidden>{text}</VisuallyHidden>
    </div>
  )
}
