import type { PdfView } from '../../pdf/pdf-file.ts'
import { isArray, isDict, isRef, type PdfObject } from '../../pdf/pdf-object.ts'
import { changedKeys } from '../../pdf/same-value.ts'
import { type Change, type Comparison, numberOf } from './comparison.ts'
import { type Referrer, TRAILER } from './object-graph.ts'

const notPermitted = (key: string): Change => ({
  kind: 'other',
  needs: 'never',
  code: 'pdf.not-permitted-change',
  description: `the catalog entry ${key} is changed`,
})

/** The effect of a changed catalog entry. Entries not listed here may not change. */
const entryRules: Readonly<Record<string, (key: string) => Change | undefined>> = {
  // Compared by separate rules.
  AcroForm: () => undefined,
  DSS: () => undefined,
  Metadata: () => undefined,
  Perms: () => undefined,
  // Extensions a signature needs (EN 319 142-1 §6.2.1): they show nothing.
  Extensions: () => undefined,
  Version: () => undefined,
  Pages: () => ({ kind: 'pages', needs: 'never', code: 'pdf.pages-changed', description: 'the page tree is replaced' }),
  // Optional content decides what is visible: hiding a layer shows what is under it.
  OCProperties: () => ({
    kind: 'content',
    needs: 'never',
    code: 'pdf.shadow-hide',
    description: 'layers are switched on or off',
  }),
}

/** Compares the catalog, and its parts that are no content: evidence, metadata, extensions. */
export function compareCatalogs(step: Comparison): void {
  const { before, after, catalogNumber } = step
  for (const key of step.same.changedKeys(before.catalog(), after.catalog())) {
    const change = Object.hasOwn(entryRules, key) ? entryRules[key]!(key) : notPermitted(key)
    if (change) step.say(change)
  }
  step.explain(catalogNumber)
  explainExtensions(step)
  compareEvidence(step)
  compareMetadata(step)
}

function explainExtensions(step: Comparison): void {
  const num = numberOf(step.before.catalog().get('Extensions'))
  if (num !== undefined) step.explainIfOnly(num, ({ from, key }) => from === step.catalogNumber && key === 'Extensions')
}

/** Levels below /DSS: the store, VRI, one signature's entry, its lists, the streams. */
const STORE_DEPTH = 5

/** Keys of the store and its parts, in the catalog itself when they are direct objects. */
const isStoreKey = (key: string): boolean => /^(DSS|VRI|Certs?|OCSPs?|CRLs?|TS|PBAD_\w+|[0-9A-F]{40})$/i.test(key)

/** The document security store (ISO 32000-2 §12.8.4.3): certificates and revocation data, which anybody may add. */
function compareEvidence(step: Comparison): void {
  const owned = storeObjects(step.before)
  const inStore = ({ from, key }: Referrer) => (from === step.catalogNumber ? isStoreKey(key) : owned.has(from))
  let touched = changedKeys(step.before.catalog(), step.after.catalog()).includes('DSS')
  for (const num of owned) touched = step.explainIfOnly(num, inStore) || touched
  if (!touched) return
  const isStore = isDict(step.after.resolve(step.after.catalog().get('DSS')))
  step.say({
    kind: 'validation-data',
    needs: isStore ? 1 : 'never',
    code: 'pdf.not-permitted-change',
    description: isStore ? 'certificates and revocation data are added' : 'the document security store is removed',
  })
}

/** Numbers of the objects that make up the store. */
function storeObjects(view: PdfView): Set<number> {
  const owned = new Set<number>()
  const visit = (value: PdfObject, depth: number): void => {
    if (isRef(value)) {
      if (owned.has(value.num) || depth > STORE_DEPTH) return
      owned.add(value.num)
      visit(view.resolve(value), depth + 1)
    } else if (isArray(value)) for (const element of value) visit(element, depth)
    else if (isDict(value)) for (const element of value.values()) visit(element, depth)
  }
  visit(view.catalog().get('DSS') ?? null, 0)
  return owned
}

/** The XMP packet and the information dictionary describe the document; nothing of them is on a page. */
function compareMetadata(step: Comparison): void {
  const { before, after, catalogNumber } = step
  const packet = numberOf(before.catalog().get('Metadata'))
  const info = numberOf(before.trailer.get('Info'))
  const touched = [
    changedKeys(before.catalog(), after.catalog()).includes('Metadata'),
    numberOf(after.trailer.get('Info')) !== info,
    packet !== undefined && step.explainIfOnly(packet, ({ from, key }) => from === catalogNumber && key === 'Metadata'),
    info !== undefined && step.explainIfOnly(info, ({ from, key }) => from === TRAILER && key === 'Info'),
  ]
  if (!touched.includes(true)) return
  step.say({
    kind: 'metadata',
    needs: 1,
    code: 'pdf.not-permitted-change',
    description: 'the information about the document is updated',
  })
}
