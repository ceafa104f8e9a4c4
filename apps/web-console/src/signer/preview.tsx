import { useEffect, useRef, useState } from 'react'
import card from '../shared/card-page/card-page.module.css'
import { fill } from '../shared/i18n/fill.ts'
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

/** As sharp as the screen, within the memory of phones. */
const MOST_PIXELS = 3_000_000

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
        void draw(pdf, number, canvas.current!).then(setText)
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

async function draw(pdf: Pdf, number: number, canvas: HTMLCanvasElement): Promise<string> {
  const page = await pdf.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  const wanted = (canvas.clientWidth / width) * devicePixelRatio
  const viewport = page.getViewport({ scale: Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height))) })
  canvas.width = Math.round(viewport.width)
  canvas.height = Math.round(viewport.height)
  // The text of a page that cannot be drawn may still be read.
  await page.render({ canvas, viewport }).promise.catch(() => {})
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join(' ')
}
