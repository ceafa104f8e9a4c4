import { isCnpj, isCpf } from '@chancela/signature-engine/x509'
import type { IdCoding, IdColumns } from './layouts.ts'
import type { RecordCursor } from './record-cursor.ts'

/** A CPF (11) or CNPJ (14) as the file gives it, and whether its check digits are right. */
export interface PartyId {
  readonly kind: 'CPF' | 'CNPJ'
  readonly number: string
  readonly valid: boolean
}

const kinds: Readonly<Record<Exclude<IdCoding, 'proven'>, Readonly<Record<string, PartyId['kind']>>>> = {
  common: { '1': 'CPF', '2': 'CNPJ' },
  // FEBRABAN N003: segment N numbers the two the other way round.
  inverted: { '1': 'CNPJ', '2': 'CPF' },
  // Itaú's GARE and FGTS know companies (1) and CEI registrations (2), and no CPF.
  'company-first': { '1': 'CNPJ' },
}

/** The identifier in these columns, null when it is absent or of a kind that is neither CPF nor CNPJ. */
export function readPartyId(record: RecordCursor, columns: IdColumns): PartyId | null {
  const field = record.filled(columns.number)
  if (field === null) return null
  if (columns.type === null || columns.coding === 'proven') return provenId(field)
  const kind = kinds[columns.coding][record.text(columns.type).replace(/^0+/, '')]
  return kind === undefined ? null : declaredId(kind, field)
}

function declaredId(kind: PartyId['kind'], field: string): PartyId {
  const width = kind === 'CPF' ? 11 : 14
  const number = field.replace(/^0+/, '').padStart(width, '0')
  return { kind, number, valid: isRight(kind, number) }
}

/** Without a type field only check digits tell a CPF from a CNPJ, so an identifier that proves neither is not shown. */
function provenId(field: string): PartyId | null {
  const candidates = (['CPF', 'CNPJ'] as const).map((kind) => declaredId(kind, field))
  return candidates.find((candidate) => candidate.valid) ?? null
}

const isRight = (kind: PartyId['kind'], number: string): boolean => (kind === 'CPF' ? isCpf(number) : isCnpj(number))
