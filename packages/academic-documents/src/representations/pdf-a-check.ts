import { EngineError } from '@chancela/signature-engine'
import {
  type ClaimedLevel,
  claimedLevel,
  isArray,
  isDict,
  isStream,
  nameOf,
  openPdf,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfStream,
} from '@chancela/signature-engine/pdf'

/** What keeps a file from being PDF/A. */
const pdfAFindings = {
  unreadable: 'O arquivo não é um PDF que se possa ler.',
  encrypted: 'O PDF está protegido por senha ou criptografia.',
  'no-metadata': 'O PDF não tem os metadados XMP que o PDF/A exige.',
  'no-claim': 'Os metadados não declaram conformidade com PDF/A.',
  'unknown-level': 'A parte ou o nível de PDF/A declarado não existe.',
  'font-not-embedded': 'Uma fonte não está incorporada ao arquivo.',
  transparency: 'O PDF usa transparência, que o PDF/A-1 não admite.',
  action: 'O PDF contém JavaScript ou ações que o PDF/A não admite.',
  attachment: 'O PDF contém arquivos anexos que esta parte do PDF/A não admite.',
  'too-complex': 'O PDF é complexo demais para ser verificado.',
} as const

type PdfAFindingCode = keyof typeof pdfAFindings

export interface PdfAFinding {
  readonly code: PdfAFindingCode
  /** For the person who sent the file. */
  readonly message: string
  /** Which font, which action. */
  readonly detail?: string
}

/**
 * Whether a file may be kept as PDF/A. This looks for what is most often wrong (claim, encryption, fonts, transparency,
 * actions, attachments); it reads no page contents and is no full check of ISO 19005.
 */
export interface PdfAVerdict {
  readonly isPdfA: boolean
  /** What the file claims to be, such as part 1, conformance B. */
  readonly claim: ClaimedLevel | undefined
  readonly findings: readonly PdfAFinding[]
}

/** Never throws: a file that cannot be read is a verdict. */
export function looksLikePdfA(bytes: Uint8Array): PdfAVerdict {
  try {
    const file = openPdf(bytes)
    // ISO 19005-1 6.1.3: not even with an empty password.
    if (file.encryption) return { isPdfA: false, claim: undefined, findings: [finding('encrypted')] }
    const { claim, findings } = judgeClaim(file)
    const all = [...findings, ...new ContentWalk(file, claim).findings()]
    return { isPdfA: all.length === 0, claim, findings: all }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { isPdfA: false, claim: undefined, findings: [unreadable(error)] }
  }
}

const finding = (code: PdfAFindingCode, detail?: string): PdfAFinding => ({
  code,
  message: pdfAFindings[code],
  ...(detail !== undefined && { detail }),
})

const codes: Readonly<Record<string, PdfAFindingCode>> = {
  'pdf.encrypted': 'encrypted',
  'pdf.too-complex': 'too-complex',
}
const unreadable = (error: EngineError): PdfAFinding => finding(codes[error.code] ?? 'unreadable', error.message)

function judgeClaim(file: PdfFile): { claim: ClaimedLevel | undefined; findings: PdfAFinding[] } {
  const metadata = file.resolve(file.catalog().get('Metadata'))
  if (!isStream(metadata)) return { claim: undefined, findings: [finding('no-metadata')] }
  const claim = claimedLevel(file.decode(metadata))
  if (!claim) return { claim, findings: [finding('no-claim')] }
  const known = levels[claim.part]?.includes(claim.conformance) ?? false
  return {
    claim,
    findings: known ? [] : [finding('unknown-level', `PDF/A-${claim.part}${claim.conformance.toLowerCase()}`)],
  }
}

/** Conformance levels by part of ISO 19005; part 4 has files without one. */
const levels: Readonly<Record<string, readonly string[]>> = {
  '1': ['A', 'B'],
  '2': ['A', 'B', 'U'],
  '3': ['A', 'B', 'U'],
  '4': ['', 'E', 'F'],
}

/** Objects visited in one file: far above real ones. */
const MAX_VISITS = 200_000

/** Everything a page can reach by its resources, each object once. */
class ContentWalk {
  private readonly file: PdfFile
  private readonly claim: ClaimedLevel | undefined
  private readonly seen = new Set<PdfObject>()
  private readonly found = new Map<string, PdfAFinding>()

  constructor(file: PdfFile, claim: ClaimedLevel | undefined) {
    this.file = file
    this.claim = claim
  }

  findings(): readonly PdfAFinding[] {
    const catalog = this.file.catalog()
    this.catalog(catalog)
    const waiting: PdfObject[] = [this.file.resolve(catalog.get('Pages'))]
    while (waiting.length > 0) {
      const node = waiting.pop()!
      if (!isDict(node) || this.seen.has(node)) continue
      if (this.seen.size > MAX_VISITS) return [...this.found.values(), finding('too-complex')]
      this.seen.add(node)
      this.page(node)
      for (const kid of this.list(node.get('Kids'))) waiting.push(kid)
    }
    return [...this.found.values()]
  }

  private catalog(catalog: PdfDict): void {
    const names = this.file.resolve(catalog.get('Names'))
    if (isDict(names) && this.file.resolve(names.get('JavaScript')) !== null) this.add('action', 'JavaScript')
    if (isDict(names) && this.file.resolve(names.get('EmbeddedFiles')) !== null && !this.mayHaveFiles())
      this.add('attachment')
    this.action(catalog.get('OpenAction'))
    if (this.file.resolve(catalog.get('AA')) !== null) this.add('action', 'AA')
  }

  /** Part 2 allows files that are PDF/A themselves, which this does not look into; parts 3 and 4 allow any. */
  private mayHaveFiles(): boolean {
    return this.claim !== undefined && this.claim.part !== '1'
  }

  private page(page: PdfDict): void {
    this.group(page)
    this.resources(page.get('Resources'))
    for (const annotation of this.list(page.get('Annots'))) if (isDict(annotation)) this.action(annotation.get('A'))
  }

  private action(value: PdfObject | undefined): void {
    const action = this.file.resolve(value)
    const kind = isDict(action) ? nameOf(this.file.resolve(action.get('S'))) : undefined
    if (kind !== undefined && FORBIDDEN_ACTIONS.has(kind)) this.add('action', kind)
  }

  private resources(value: PdfObject | undefined): void {
    const resources = this.file.resolve(value)
    if (!isDict(resources) || this.seen.has(resources)) return
    this.seen.add(resources)
    for (const font of this.values(resources.get('Font'))) this.font(font)
    for (const state of this.values(resources.get('ExtGState'))) this.graphicsState(state)
    for (const object of this.values(resources.get('XObject'))) if (isStream(object)) this.drawing(object)
  }

  private drawing(object: PdfStream): void {
    if (this.seen.has(object)) return
    this.seen.add(object)
    if (this.file.resolve(object.dict.get('SMask')) !== null) this.transparent('SMask')
    this.group(object.dict)
    this.resources(object.dict.get('Resources'))
  }

  private group(owner: PdfDict): void {
    const group = this.file.resolve(owner.get('Group'))
    if (isDict(group) && nameOf(this.file.resolve(group.get('S'))) === 'Transparency') this.transparent('Group')
  }

  private graphicsState(state: PdfObject): void {
    if (!isDict(state)) return
    for (const key of ['ca', 'CA']) {
      const value = this.file.resolve(state.get(key))
      if (typeof value === 'number' && value < 1) this.transparent(key)
    }
    const mask = this.file.resolve(state.get('SMask'))
    if (mask !== null && nameOf(mask) !== 'None') this.transparent('SMask')
  }

  private transparent(detail: string): void {
    if (this.claim?.part === '1') this.add('transparency', detail)
  }

  /** A font of type 3 is drawn by the file itself; a composite font has its program in its descendant. */
  private font(font: PdfObject): void {
    if (!isDict(font) || this.seen.has(font)) return
    this.seen.add(font)
    const kind = nameOf(this.file.resolve(font.get('Subtype')))
    if (kind === 'Type3') this.resources(font.get('Resources'))
    else if (kind === 'Type0') for (const descendant of this.list(font.get('DescendantFonts'))) this.font(descendant)
    else this.requireProgram(font)
  }

  private requireProgram(font: PdfDict): void {
    const descriptor = this.file.resolve(font.get('FontDescriptor'))
    const isEmbedded = isDict(descriptor) && FONT_FILES.some((key) => isStream(this.file.resolve(descriptor.get(key))))
    if (!isEmbedded) this.add('font-not-embedded', nameOf(this.file.resolve(font.get('BaseFont'))) ?? '?')
  }

  private list(value: PdfObject | undefined): readonly PdfObject[] {
    const list = this.file.resolve(value)
    return isArray(list) ? list.map((one) => this.file.resolve(one)) : []
  }

  private values(value: PdfObject | undefined): readonly PdfObject[] {
    const entries = this.file.resolve(value)
    return isDict(entries) ? [...entries.values()].map((one) => this.file.resolve(one)) : []
  }

  private add(code: PdfAFindingCode, detail?: string): void {
    this.found.set(`${code} ${detail ?? ''}`, finding(code, detail))
  }
}

const FONT_FILES = ['FontFile', 'FontFile2', 'FontFile3'] as const

/** ISO 19005-1 §6.6.1. */
const FORBIDDEN_ACTIONS = new Set(['JavaScript', 'Launch', 'Sound', 'Movie', 'ResetForm', 'ImportData'])
