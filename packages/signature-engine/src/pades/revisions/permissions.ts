import type { PdfView } from '../../pdf/pdf-file.ts'
import { isDict, type PdfDict } from '../../pdf/pdf-object.ts'
import {
  certificationOf,
  docMdpLevels,
  lockLevels,
  locks,
  type PermissionLevel,
  strictest,
  transformParameters,
} from '../signature-locks.ts'

/** The changes a signature permits after it. */
export interface Permissions {
  readonly level: PermissionLevel
  /** Whether a rule says so; else it is what readers assume. */
  readonly isStated: boolean
  /** Whether the field's value must stay. */
  locked(field: string): boolean
}

/**
 * Without a rule: filling and signing what is there, and nothing else. Readers differ on comments; a signature that
 * nobody asked about comments does not vouch for them.
 */
const UNSTATED: PermissionLevel = 2

/** A signature, with what its own revision shows of it. */
interface RuledSignature {
  readonly view: PdfView
  readonly dict: PdfDict
  readonly field: PdfDict | undefined
  /** Rules of intact signatures before it: who signs over the first one signs its rule, which holds for all. */
  readonly earlier: readonly PermissionLevel[]
}

/** Reads what a signature, the field it is in, those before it and the document's certification allow. */
export function permissionsOf({ view, dict, field, earlier }: RuledSignature): Permissions {
  const lock = view.resolve(field?.get('Lock'))
  const certification = certificationOf(view)
  const stated = strictest([
    ...docMdpLevels(view, dict),
    ...earlier,
    ...(certification ? docMdpLevels(view, certification) : []),
    ...(field ? lockLevels(view, field) : []),
  ])
  const fieldLocks = [...transformParameters(view, dict, 'FieldMDP'), ...(isDict(lock) ? [lock] : [])]
  return {
    level: stated ?? UNSTATED,
    isStated: stated !== undefined,
    locked: (name) => fieldLocks.some((parameters) => locks(view, parameters, name)),
  }
}
