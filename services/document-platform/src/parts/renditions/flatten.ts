import type { PDFDict, PDFPage, PDFRef } from '@cantoo/pdf-lib'
import { objectOperators, surroundContents } from './page-contents.ts'
import { cm, type Matrix, orderedBox } from './page-space.ts'
import { embedFonts, type PdfLibrary, type Workbench } from './pdf-library.ts'

const HIDDEN = 1 << 1
const NO_VIEW = 1 << 5

/**
 * Makes a document static: form fields, visible signatures and comments become page content as they are drawn, the form
 * and with it every signature is removed, and so are all actions and scripts. Links to URLs stay.
 */
export async function flatten(bench: Workbench): Promise<void> {
  await drawMissingAppearances(bench)
  for (const page of bench.document.getPages()) flattenPage(bench, page)
  const { library, document } = bench
  for (const name of ['AcroForm', 'Perms', 'DSS', 'OpenAction', 'AA', 'Legal', 'Requirements', 'Collection'])
    document.catalog.delete(library.PDFName.of(name))
  const names = document.catalog.lookupMaybe(library.PDFName.of('Names'), library.PDFDict)
  for (const name of ['JavaScript', 'EmbeddedFiles']) names?.delete(library.PDFName.of(name))
}

/** Draws fields that have a value but no appearance stream, which viewers generate on display. */
async function drawMissingAppearances(bench: Workbench): Promise<void> {
  const { library, document } = bench
  const form = document.catalog.lookupMaybe(library.PDFName.of('AcroForm'), library.PDFDict)
  if (!form) return
  form.delete(library.PDFName.of('XFA'))
  const undrawn = document
    .getForm()
    .getFields()
    .filter((field) => isUndrawn(library, field))
  if (undrawn.length === 0) return
  const { regular } = await embedFonts(bench)
  for (const field of undrawn) field.defaultUpdateAppearances(regular)
}

type FormField = ReturnType<ReturnType<Workbench['document']['getForm']>['getFields']>[number]

function isUndrawn({ PDFName, PDFSignature }: PdfLibrary, field: FormField): boolean {
  if (field instanceof PDFSignature || !field.acroField.dict.has(PDFName.of('V'))) return false
  return field.acroField.getWidgets().some(({ dict }) => !dict.has(PDFName.of('AP')))
}

function flattenPage(bench: Workbench, page: PDFPage): void {
  const { library, document } = bench
  const annotations = page.node.Annots()
  if (!annotations) return
  const kept: PDFRef[] = []
  const drawn: string[] = []
  for (const entry of annotations.asArray()) {
    const annotation = document.context.lookup(entry)
    if (!(annotation instanceof library.PDFDict)) continue
    if (isAddressLink(library, annotation)) kept.push(linkAlone(bench, annotation))
    else drawn.push(...appearanceOperators(bench, page, annotation))
  }
  page.node.set(library.PDFName.of('Annots'), document.context.obj(kept))
  if (drawn.length > 0) surroundContents(bench, page, 'q', ['Q', ...drawn].join('\n'))
}

function isAddressLink({ PDFName, PDFDict }: PdfLibrary, annotation: PDFDict): boolean {
  if (annotation.get(PDFName.of('Subtype')) !== PDFName.of('Link')) return false
  const action = annotation.lookup(PDFName.of('A'))
  return action instanceof PDFDict && action.get(PDFName.of('S')) === PDFName.of('URI')
}

/** Removes references to other pages: they would be copied along with the page. */
function linkAlone({ library: { PDFName }, document }: Workbench, link: PDFDict): PDFRef {
  const alone = link.clone()
  for (const name of ['P', 'PA', 'Dest', 'Parent', 'StructParent', 'Popup', 'IRT']) alone.delete(PDFName.of(name))
  return document.context.register(alone)
}

function appearanceOperators(bench: Workbench, page: PDFPage, annotation: PDFDict): string[] {
  const { library } = bench
  const appearance = normalAppearance(bench, annotation)
  const rectangle = annotation.lookup(library.PDFName.of('Rect'))
  if (!appearance || isHidden(library, annotation) || !(rectangle instanceof library.PDFArray)) return []
  const place = placeInRectangle(bench, appearance, rectangle)
  return place ? [objectOperators(bench, page, appearance, cm(place))] : []
}

function isHidden({ PDFName, PDFNumber }: PdfLibrary, annotation: PDFDict): boolean {
  // A pop-up is the window of a comment, not a part of the page.
  if (annotation.get(PDFName.of('Subtype')) === PDFName.of('Popup')) return true
  const flags = annotation.lookup(PDFName.of('F'))
  return flags instanceof PDFNumber && (flags.asNumber() & (HIDDEN | NO_VIEW)) !== 0
}

/** The appearance of an annotation; of one with states, such as a check box, that of its state (§12.5.5). */
function normalAppearance({ library, document }: Workbench, annotation: PDFDict): PDFRef | undefined {
  const { PDFName, PDFDict, PDFRef, PDFStream } = library
  const appearances = annotation.lookup(PDFName.of('AP'))
  if (!(appearances instanceof PDFDict)) return undefined
  let picture = appearances.get(PDFName.of('N'))
  const states = document.context.lookup(picture)
  const state = annotation.get(PDFName.of('AS'))
  if (states instanceof PDFDict && state instanceof PDFName) picture = states.get(state)
  return picture instanceof PDFRef && document.context.lookup(picture) instanceof PDFStream ? picture : undefined
}

/** §12.5.5, algorithm 8.1: maps the appearance's box, transformed by its matrix, onto the rectangle. */
function placeInRectangle(
  { library, document }: Workbench,
  appearance: PDFRef,
  rectangle: Parameters<typeof orderedBox>[0],
): Matrix | undefined {
  const { PDFName, PDFArray, PDFStream } = library
  const { dict } = document.context.lookup(appearance, PDFStream)
  const bbox = dict.lookup(PDFName.of('BBox'))
  if (!(bbox instanceof PDFArray) || bbox.size() !== 4 || rectangle.size() !== 4) return undefined
  const own = dict.lookup(PDFName.of('Matrix'))
  const matrix = own instanceof PDFArray && own.size() === 6 ? matrixOf(own) : ([1, 0, 0, 1, 0, 0] as const)
  const [left, bottom, right, top] = turnedBox(orderedBox(bbox), matrix)
  const [toLeft, toBottom, toRight, toTop] = orderedBox(rectangle)
  if (right <= left || top <= bottom || toRight <= toLeft || toTop <= toBottom) return undefined
  const [scaleX, scaleY] = [(toRight - toLeft) / (right - left), (toTop - toBottom) / (top - bottom)]
  return [scaleX, 0, 0, scaleY, toLeft - left * scaleX, toBottom - bottom * scaleY]
}

function matrixOf(array: { asArray(): unknown[] }): Matrix {
  const [a, b, c, d, e, f] = array.asArray().map((value) => Number(String(value)))
  return [a!, b!, c!, d!, e!, f!]
}

function turnedBox([left, bottom, right, top]: ReturnType<typeof orderedBox>, [a, b, c, d, e, f]: Matrix) {
  const corners = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ] as const
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const
}
