import type { Pdf } from './open-pdf.ts'

/** As sharp as the screen, within the memory of phones. */
const MOST_PIXELS = 3_000_000

/** Draws a page as wide as its canvas is shown; the text of the page. */
export async function drawPage(pdf: Pdf, number: number, canvas: HTMLCanvasElement): Promise<string> {
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
