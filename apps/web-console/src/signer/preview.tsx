import { useEffect, useRef, useState } from 'react'
import card from '../shared/card-page/card-page.module.css'
import { fill } from '../shared/i18n/fill.ts'
import { drawPage } from '../shared/pdf/draw-page.ts'
import { openPdf, type Pdf } from '../shared/pdf/open-pdf.ts'
import { Problem } from './problem.tsx'
import { fileOf, type SessionDocument } from './session-api.ts'
import classes from './signer.module.css'
import { useTexts } from './use-texts.ts'

type Shown = { kind: 'pdf'; pdf: Pdf } | { kind: 'text'; text: string } | { kind: 'unshown' }

/** More than anybody reads in a box of this size. */
const MOST_TEXT_BYTES = 200_000

/** Read from the bytes that will be signed. */
async function shownOf({ id, mimeType, signatureType }: SessionDocument): Promise<Shown> {
  const bytes = await fileOf(id, 'content')
  if (signatureType === 'Pdf') return { kind: 'pdf', pdf: await openPdf(await bytes.arrayBuffer()) }
  const isText = /^text\/|[/+]xml$|\/json$/.test(mimeType)
  return isText && bytes.size <= MOST_TEXT_BYTES ? { kind: 'text', text: await bytes.text() } : { kind: 'unshown' }
}

/** What is to be signed. */
export function Preview({ document }: { document: SessionDocument }) {
  const texts = useTexts()
  const [shown, setShown] = useState<Shown>()
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    let stale = false
    shownOf(document).then(
      (next) => !stale && setShown(next),
      (error) => !stale && setFailure(error),
    )
    return () => {
      stale = true
    }
  }, [document])
  if (failure !== undefined) return <Problem error={failure} />
  if (!shown) return <p role="status">{texts.loading}</p>
  if (shown.kind === 'unshown') return <p className={classes.quiet}>{texts.unshown}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <section className={classes.preview} tabIndex={0} aria-label={document.name}>
      {shown.kind === 'text' ? (
        <pre>{shown.text}</pre>
      ) : (
        Array.from({ length: shown.pdf.numPages }, (_, index) => index + 1).map((number) => (
          <PdfPage key={number} pdf={shown.pdf} number={number} />
        ))
      )}
    </section>
  )
}

/** One page, drawn when it comes near, with its text for screen readers. */
function PdfPage({ pdf, number }: { pdf: Pdf; number: number }) {
  const texts = useTexts()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        near.disconnect()
        void drawPage(pdf, number, canvas.current!).then(setText)
      },
      { rootMargin: '100% 0px' },
    )
    near.observe(canvas.current!)
    return () => near.disconnect()
  }, [pdf, number])
  return (
    <div className={classes.sheet}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={fill(texts.page, { page: String(number), pages: String(pdf.numPages) })}
      />
      <span className={card.hidden}>{text}</span>
    </div>
  )
}
