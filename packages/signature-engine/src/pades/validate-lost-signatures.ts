import type { PdfFile, PdfRevision } from '../pdf/pdf-file.ts'
import { isDict, type PdfDict } from '../pdf/pdf-object.ts'
import { type Finding, finding } from '../report/report.ts'
import type { FieldTrees } from './revisions/field-tree.ts'
import type { WorkLimit } from './revisions/work-limit.ts'
import { coverageOf } from './validate-byte-range.ts'
import type { FoundSignature } from './validate-find-signatures.ts'

/**
 * Signatures that were made to disappear inside the bytes they cover: one changed byte can cut the form's reference to
 * the newest signature, and the rest would look like a legitimate file with an empty field. Only what follows the
 * newest signature found needs a check: that one covers earlier bytes.
 */
export function lostSignatures(
  file: PdfFile,
  found: readonly FoundSignature[],
  trees: FieldTrees,
  limit: WorkLimit,
): Finding[] {
  return [...danglingFields(file, trees), ...orphans(file, found, limit)]
}

/** A field with a dangling value is not an empty field. */
const danglingFields = (file: PdfFile, trees: FieldTrees): Finding[] =>
  trees
    .of(file)
    .filter(({ terminal, type, value }) => terminal && type === 'Sig' && value !== null && !isDict(file.resolve(value)))
    .map(({ name }) => finding('pdf.signature-lost', { field: name }))

/** Signature dictionaries that cover their revision exactly, and that no field holds. */
function orphans(file: PdfFile, found: readonly FoundSignature[], limit: WorkLimit): Finding[] {
  const known = new Set(found.map(({ dict }) => dict))
  const newest = Math.max(-1, ...found.map(({ dict }) => coverageOf(file, dict).revision?.index ?? -1))
  return file.revisions
    .slice(newest + 1)
    .flatMap((revision) => dictionariesOf(revision, limit))
    .filter((dict) => dict.has('ByteRange') && !known.has(dict) && coverageOf(file, dict).revision !== null)
    .map(() => finding('pdf.signature-lost'))
}

function dictionariesOf(revision: PdfRevision, limit: WorkLimit): PdfDict[] {
  const numbers = [...revision.ownNumbers()]
  limit.spend(numbers.length)
  return numbers.flatMap((num) => {
    const entry = revision.entry(num)
    const value = entry?.kind === 'offset' ? revision.object({ kind: 'ref', num, gen: entry.gen }) : null
    return isDict(value) ? [value] : []
  })
}
