import type { PdfADocument } from './document.ts'
import { type Canvas, MM, type TextStyle } from './drawing/canvas.ts'

const PREVIEW = 'PRÉ-VISUALIZAÇÃO'

/** Says across a page that it is no document. Drawn before all else and in a light grey: PDF/A-1 has no transparency. */
export function drawPreviewMark(canvas: Canvas, { fonts }: PdfADocument): void {
  const { width, height } = canvas.size
  const degrees = (Math.atan2(height, width) * 180) / Math.PI
  const style: TextStyle = {
    family: 'sans',
    bold: true,
    italic: false,
    smallCaps: false,
    spacing: 60,
    size: 60,
    color: '#e3b5b5',
  }
  const shaped = fonts.shape(PREVIEW, style)
  const wanted = Math.hypot(width, height) * 0.72
  const size = (wanted * MM * 1000) / shaped.width
  canvas.turnedText({ shaped, style: { ...style, size } }, width / 2, height / 2, degrees)
}
