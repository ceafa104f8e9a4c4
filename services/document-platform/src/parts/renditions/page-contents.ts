import type { PDFObject, PDFPage, PDFRef } from '@cantoo/pdf-lib'
import type { Ink } from './ink.ts'
import { cm, type ShownPage } from './page-space.ts'
import type { Workbench } from './pdf-library.ts'

/** Adds operators before and after a page's content, which stays unchanged. */
export function surroundContents({ library, document }: Workbench, page: PDFPage, before: string, after: string): void {
  // Only a few operators: compressing them takes longer than all other work on a page.
  const stream = (text: string) => document.context.register(document.context.stream(`${text}\n`))
  const contents = [stream(before), ...contentsOf({ library, document }, page), stream(after)]
  page.node.set(library.PDFName.of('Contents'), document.context.obj(contents))
}

function contentsOf(
  { library: { PDFName, PDFArray, PDFStream }, document }: Workbench,
  { node }: PDFPage,
): PDFObject[] {
  const entry = node.get(PDFName.of('Contents'))
  const contents = document.context.lookup(entry)
  if (contents instanceof PDFArray) return contents.asArray()
  return entry && contents instanceof PDFStream ? [entry] : []
}

/** Draws over a page, upright and in points as the reader sees it, whatever graphics state the page leaves behind. */
export function drawOver(bench: Workbench, page: PDFPage, shown: ShownPage, ink: Ink): void {
  surroundContents(
    bench,
    page,
    'q',
    `Q ${objectOperators(bench, page, drawnObject(bench, shown, ink), cm(shown.matrix))}`,
  )
}

/** A drawing as an object of its own, with its own resources. */
function drawnObject({ document: { context } }: Workbench, { width, height }: ShownPage, ink: Ink): PDFRef {
  return context.register(
    context.flateStream(ink.content, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, width, height],
      Resources: context.obj(ink.resources()),
    }),
  )
}

/** Operators that draw an object on a page. */
export function objectOperators(bench: Workbench, page: PDFPage, object: PDFRef, place: string): string {
  ownResources(bench, page)
  return `q ${place} ${page.node.newXObject('Drawn', object)} Do Q`
}

/** Pages share their resources, inherited or not: what is drawn on one would be listed in all, page after page. */
function ownResources({ library: { PDFDict, PDFName }, document }: Workbench, { node }: PDFPage): void {
  const [resources, objects] = [PDFName.of('Resources'), PDFName.of('XObject')]
  const own = node.Resources()?.clone() ?? document.context.obj({})
  own.set(objects, own.lookupMaybe(objects, PDFDict)?.clone() ?? document.context.obj({}))
  node.set(resources, own)
}
