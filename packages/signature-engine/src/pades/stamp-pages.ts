// Pictures that become part of the pages before anybody signs: what is signed shows them, and nobody can take them off.
import { requireArguments } from '../errors/arguments.ts'
import { damaged, refusePdf } from '../pdf/errors.ts'
import { formFields } from '../pdf/form-fields.ts'
import { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { limits } from '../pdf/limits.ts'
import { allPages, type PdfPage, pageCount } from '../pdf/page-tree.ts'
import { openPdf, type PdfFile, type PdfPassword } from '../pdf/pdf-file.ts'
import {
  dict,
  isArray,
  isDict,
  isRef,
  isStream,
  name,
  type PdfDict,
  type PdfObject,
  type PdfRef,
} from '../pdf/pdf-object.ts'
import { formXObject } from './appearance-form.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { refusePades } from './errors.ts'
import { fittedTo } from './fitted-pictures.ts'
import { addStamp } from './page-annotations.ts'
import { type PageSpace, rectangleOn, scaleIn } from './page-places.ts'
import { type Standing, standingOf } from './signature-locks.ts'

/** A picture, and the pages it is put on. */
export interface PageStamp {
  /** Its place says where on a page; its page is not looked at. */
  readonly picture: DrawnAppearance
  /** From 1. */
  readonly pages: readonly number[]
}

/** A page to be added. */
export interface AddedPage {
  /** In points. */
  readonly width: number
  readonly height: number
  readonly pictures: readonly DrawnAppearance[]
}

export interface StampPagesOptions extends PdfPassword {
  readonly stamps: readonly PageStamp[]
  /** Pages behind the last one. Default none. */
  readonly added?: readonly AddedPage[]
  /** Names the version of the document: stamping again with the same gives the same bytes. Default: a new one. */
  readonly uuid?: string
  /** What becomes of a document that somebody signed. Default `refused`. */
  readonly signed?: OverSigned
}

/**
 * `refused`; `where-allowed`, as annotations, which its signatures must allow; `always`, as annotations all the same and
 * with new pages: the signatures stay, but verifiers see that something came after them.
 */
export type OverSigned = 'refused' | 'where-allowed' | 'always'

/**
 * Draws pictures onto pages and adds pages, as an update behind the bytes that are there, which stay as they are. No
 * signature allows its pages to change: over those of a signed document pictures are annotations, or refused.
 */
export function stampPages(document: Uint8Array, options: StampPagesOptions): Buffer {
  requireArguments('stampPages', { document: [document, 'bytes'] }, options, ['stamps'])
  const { uuid, signed = 'refused' } = options
  const file = openPdf(document, options)
  const fitted = fittedTo(file)
  const stamps = options.stamps.map((stamp) => ({ ...stamp, picture: fitted(stamp.picture) }))
  const added = (options.added ?? []).map((page) => ({ ...page, pictures: page.pictures.map(fitted) }))
  const standing = standingOf(file, formFields(file))
  if (!standing.isFirst && signed !== 'always') requireAllowed(standing, signed, added)
  if (stamps.length > 0) file.encryption?.requirePermission(standing.isFirst ? 'change-pages' : 'annotate')
  if (added.length > 0) file.encryption?.requirePermission('add-pages')
  const update = new IncrementalUpdate(file, uuid)
  const pictures = new Pictures(update)
  const pages = stamps.length > 0 ? allPages(file) : []
  for (const [number, drawn] of byPage(stamps)) {
    const page = pages[number - 1]
    if (!page) throw refusePdf('pdf.no-such-page', { page: number, pages: pages.length })
    if (standing.isFirst) stampPage(file, update, page, drawn, pictures)
    else for (const picture of drawn) addStamp(update, page, picture, pictures.on(page, picture))
  }
  if (added.length > 0) addPages(file, update, added, pictures)
  return Buffer.concat([file.bytes, update.finish().appended])
}

function requireAllowed({ level }: Standing, signed: OverSigned, added: readonly AddedPage[]): void {
  const isAllowed = signed === 'where-allowed' && level === 3 && added.length === 0
  if (!isAllowed) throw refusePades('pades.locked', { reason: 'the pages of a signed document stay as they are' })
}

function byPage(stamps: readonly PageStamp[]): Map<number, DrawnAppearance[]> {
  const found = new Map<number, DrawnAppearance[]>()
  for (const { picture, pages } of stamps)
    for (const page of pages) {
      const known = found.get(page)
      if (known) known.push(picture)
      else found.set(page, [picture])
    }
  return found
}

/** Pictures as objects of the update: fonts and images once each, however many pages show them. */
class Pictures {
  readonly #update: IncrementalUpdate
  readonly #resources = new Map<DrawnAppearance, PdfDict>()
  readonly #forms = new Map<DrawnAppearance, Map<number, PdfRef>>()

  /** One function for all of them: a font that several pictures share is told by it. */
  readonly #add = (object: PdfObject): PdfRef => this.#update.add(object)

  constructor(update: IncrementalUpdate) {
    this.#update = update
  }

  on(page: Pick<PdfPage, 'rotate'>, picture: DrawnAppearance): PdfRef {
    const turned = this.#forms.get(picture) ?? new Map<number, PdfRef>()
    this.#forms.set(picture, turned)
    const form = turned.get(page.rotate) ?? this.#written(picture, page.rotate)
    turned.set(page.rotate, form)
    return form
  }

  #written(picture: DrawnAppearance, rotate: number): PdfRef {
    const resources = this.#resources.get(picture) ?? picture.resources(this.#add)
    this.#resources.set(picture, resources)
    return this.#update.add(formXObject(this.#update, picture, rotate, resources))
  }
}

/** What a page draws is put between `q` and `Q`: whatever it leaves behind, the pictures stand where they should. */
function stampPage(
  file: PdfFile,
  update: IncrementalUpdate,
  page: PdfPage,
  drawn: readonly DrawnAppearance[],
  pictures: Pictures,
): void {
  const resources = resourcesOf(file, page)
  const objects = file.resolve(resources.get('XObject'))
  const named = new Map<string, PdfObject>(isDict(objects) ? objects : [])
  const after = content(`\nQ\n${placed(page, drawn, named, pictures)}`)
  const contents = [update.add(content('q\n')), ...contentsOf(file, page), update.add(after)]
  update.change(page.ref, page.dict, 'Contents', contents)
  update.change(page.ref, page.dict, 'Resources', new Map(resources).set('XObject', named))
}

/** Operators that draw pictures, whose objects get names beside those the page has. */
function placed(
  page: PageSpace,
  drawn: readonly DrawnAppearance[],
  named: Map<string, PdfObject>,
  pictures: Pictures,
): string {
  return drawn
    .map((picture) => {
      const free = freeName(named)
      named.set(free, pictures.on(page, picture))
      return `${drawing(free, picture, page)}\n`
    })
    .join('')
}

// An artifact (ISO 32000-1 §14.8.2.2): what reads a tagged document aloud passes over it.
const drawing = (form: string, { place }: DrawnAppearance, page: PageSpace): string => {
  const rectangle = rectangleOn(place, page)
  const [left, bottom] = rectangle
  const scale = rounded(scaleIn(rectangle, place, page))
  return `/Artifact BMC q ${scale} 0 0 ${scale} ${rounded(left)} ${rounded(bottom)} cm /${form} Do Q EMC`
}

const rounded = (value: number): string => String(Math.round(value * 1e5) / 1e5)

const content = (operators: string): PdfObject => ({
  kind: 'stream',
  dict: dict({}),
  raw: Buffer.from(operators, 'latin1'),
})

function freeName(taken: ReadonlyMap<string, PdfObject>): string {
  let number = 1
  while (taken.has(`Stamp${number}`)) number++
  return `Stamp${number}`
}

function contentsOf(file: PdfFile, { dict: page }: PdfPage): readonly PdfObject[] {
  const stored = page.get('Contents') ?? null
  const contents = file.resolve(stored)
  if (isArray(contents)) return contents
  return isStream(contents) ? [stored] : []
}

/** What the page draws with; a page that names nothing draws with what its tree hands down (§7.7.3.4). */
function resourcesOf(file: PdfFile, { dict: page }: PdfPage): PdfDict {
  let node: PdfObject = page
  for (let depth = 0; isDict(node); depth++) {
    const own = file.resolve(node.get('Resources'))
    if (isDict(own)) return own
    if (depth > limits.treeDepth) throw damaged(0, 'a page has too many parents')
    node = file.resolve(node.get('Parent'))
  }
  return new Map()
}

function addPages(file: PdfFile, update: IncrementalUpdate, added: readonly AddedPage[], pictures: Pictures): void {
  const root = file.catalog().get('Pages')
  const tree = file.resolve(root)
  const kids = isDict(tree) ? tree.get('Kids') : null
  const listed = file.resolve(kids)
  if (!isRef(root) || !isDict(tree) || !isArray(listed)) throw damaged(0, 'the document has no page tree')
  const before = pageCount(file)
  const extended = [
    ...listed,
    ...added.map((page, at) => update.add(newPage(update, root, page, before + at, pictures))),
  ]
  if (isRef(kids)) update.set(kids, extended)
  else update.change(root, tree, 'Kids', extended)
  update.change(root, tree, 'Count', before + added.length)
}

function newPage(
  update: IncrementalUpdate,
  parent: PdfRef,
  { width, height, pictures: drawn }: AddedPage,
  index: number,
  pictures: Pictures,
): PdfDict {
  const hasSize = width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height)
  if (!hasSize) throw refusePades('pades.appearance', { reason: 'a page to be added has no size' })
  const box: PdfPage['cropBox'] = [0, 0, width, height]
  const named = new Map<string, PdfObject>()
  const operators = placed({ index, cropBox: box, rotate: 0, userUnit: 1 }, drawn, named, pictures)
  return dict({
    Type: name('Page'),
    Parent: parent,
    // Said here, because the tree may hand down others.
    MediaBox: [...box],
    CropBox: [...box],
    Rotate: 0,
    Resources: dict({ XObject: named }),
    Contents: update.add(content(operators)),
  })
}
