import { tooComplex } from '../pdf/errors.ts'
import type { PdfFile, PdfView } from '../pdf/pdf-file.ts'
import { isDict, nameOf, type PdfDict, type PdfObject } from '../pdf/pdf-object.ts'
import type { FieldNode, FieldTrees } from './revisions/field-tree.ts'
import { certificationOf } from './signature-locks.ts'

/** Signatures judged in one file. */
const MAX_SIGNATURES = 1_000

/** One signature dictionary, and the fields that hold it. */
export interface FoundSignature {
  readonly dict: PdfDict
  /** Full names of the fields; more than one is an attack. */
  readonly fields: readonly string[]
  /** The field in its newest revision; undefined when only the catalog's /Perms refers to the signature. */
  readonly field: FieldNode | undefined
}

/**
 * Every signature dictionary that the form of any revision holds, or a certification points at. A signature that a
 * later revision removes is still found, and the removal is reported. Unknown sub-filters are included.
 */
export function findSignatures(file: PdfFile, trees: FieldTrees): FoundSignature[] {
  const found = new Map<PdfDict, { fields: Set<string>; nodes: Set<number | string>; field: FieldNode | undefined }>()
  for (const view of [...file.revisions].reverse()) {
    for (const [dict, field] of signaturesIn(view, trees)) {
      const known = found.get(dict)
      const identity = field?.num ?? field?.name
      if (!known) {
        if (found.size >= MAX_SIGNATURES) throw tooComplex('too many signatures')
        found.set(dict, {
          fields: new Set(field && [field.name]),
          nodes: new Set(identity === undefined ? [] : [identity]),
          field,
        })
      } else if (field && identity !== undefined && !known.nodes.has(identity)) {
        known.nodes.add(identity)
        known.fields.add(known.fields.has(field.name) ? `${field.name} (${identity})` : field.name)
        known.field ??= field
      }
    }
  }
  return [...found].map(([dict, { fields, field }]) => ({ dict, fields: [...fields], field }))
}

function* signaturesIn(view: PdfView, trees: FieldTrees): Iterable<[PdfDict, FieldNode | undefined]> {
  for (const field of trees.of(view)) {
    if (!field.terminal) continue
    const value = view.resolve(field.value)
    if (isDict(value) && (field.type === 'Sig' || looksLikeSignature(value))) yield [value, field]
  }
  const certification = certificationOf(view)
  if (certification) yield [certification, undefined]
}

/** A value of another kind of field that a reader could take for a signature. */
function looksLikeSignature(value: PdfDict): boolean {
  const type: PdfObject | undefined = value.get('Type')
  return nameOf(type) === 'Sig' || nameOf(type) === 'DocTimeStamp' || value.has('ByteRange')
}
