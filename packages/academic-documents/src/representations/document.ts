import { deflateSync } from 'node:zlib'
import { Canvas, type PageSize } from './drawing/canvas.ts'
import { type EmbeddedPicture, embedPicture } from './drawing/pictures.ts'
import { qrOperators } from './drawing/qr-code.ts'
import { DocumentFonts } from './fonts/document-fonts.ts'
import { type DocumentInformation, informationDictionary, xmpPacket } from './pdf/document-information.ts'
import { PdfFileWriter } from './pdf/pdf-file-writer.ts'
import { srgbProfile } from './pdf/srgb-profile.ts'
import { array, dict, type ObjectNumber, type PdfText, plainString, ref } from './pdf/syntax.ts'

/** A PDF/A-1b that is being drawn, page by page. */
export class PdfADocument {
  readonly fonts = new DocumentFonts()
  readonly pages: Canvas[] = []
  private readonly file = new PdfFileWriter()
  private readonly drawings = new Map<string, ObjectNumber>()

  addPage(size: PageSize): Canvas {
    const page = new Canvas(size, this.fonts)
    this.pages.push(page)
    return page
  }

  /** A PNG or JPEG in base64. */
  picture(name: string, base64: string): EmbeddedPicture {
    return embedPicture(this.file, name, base64)
  }

  /** A drawing that pages show any number of times. `key` names all it depends on, `reach` is in points from its origin. */
  drawing(key: string, reach: number, make: () => PdfText): ObjectNumber {
    const known = this.drawings.get(key)
    if (known) return known
    const box = array([-reach, -reach, reach, reach])
    const entries = { Type: '/XObject', Subtype: '/Form', BBox: box, Resources: '<<>>', Filter: '/FlateDecode' }
    const object = this.file.addRaw(entries, compressed(key, make))
    this.drawings.set(key, object)
    return object
  }

  /** A QR code of one by one. */
  qrCode(text: string): ObjectNumber {
    return this.drawing(`qr ${text}`, 1, () => qrOperators(text))
  }

  /** The whole file. */
  finish(information: DocumentInformation): Buffer {
    const { file } = this
    const fonts = file.add(this.fonts.write(file))
    const tree = file.reserve()
    const kids = this.pages.map((page) => ref(this.writePage(page, tree, fonts)))
    file.set(tree, dict({ Type: '/Pages', Kids: array(kids), Count: kids.length }))
    const catalog = dict({
      Type: '/Catalog',
      Pages: ref(tree),
      Lang: plainString('pt-BR'),
      ViewerPreferences: dict({ DisplayDocTitle: 'true' }),
      // ISO 19005-1 §6.7.2: not compressed.
      Metadata: ref(file.addRaw({ Type: '/Metadata', Subtype: '/XML' }, xmpPacket(information))),
      OutputIntents: array([ref(this.writeIntent())]),
    })
    return file.finish(file.add(catalog), file.add(informationDictionary(information)))
  }

  private writePage(page: Canvas, tree: ObjectNumber, fonts: ObjectNumber): ObjectNumber {
    return this.file.add(
      dict({
        Type: '/Page',
        Parent: ref(tree),
        MediaBox: page.pageBox,
        Resources: dict({ Font: ref(fonts), XObject: page.resources() }),
        Contents: ref(this.file.addStream({}, page.operators)),
      }),
    )
  }

  /** ISO 19005-1 §6.2.2: what the colours of the file mean. */
  private writeIntent(): ObjectNumber {
    return this.file.add(
      dict({
        Type: '/OutputIntent',
        S: '/GTS_PDFA1',
        OutputConditionIdentifier: plainString('sRGB IEC61966-2.1'),
        Info: plainString('sRGB IEC61966-2.1'),
        DestOutputProfile: ref(this.file.addRaw({ N: 3, Filter: '/FlateDecode' }, SRGB)),
      }),
    )
  }
}

const SRGB = deflateSync(srgbProfile())

/** Drawings of templates, which are the same in every document. */
const kept = new Map<string, Buffer>()
const MOST_KEPT = 100

function compressed(key: string, make: () => PdfText): Buffer {
  const known = kept.get(key) ?? deflateSync(Buffer.from(make(), 'latin1'))
  kept.delete(key)
  kept.set(key, known)
  // The one that was not asked for the longest.
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
  return known
}
