// What is sealed of biometric rows, and for which place.
import { sealedTable } from '@chancela/service-kernel/secrets'
import type { BioSessionRow, BioSubjectRow } from './tables.ts'

type Owned = Pick<BioSessionRow, 'id' | 'subscription_id'>

/** The subscription is part of the place: a value that is carried to a row of another subscription does not open there. */
export const bioSeal = (table: string, { id, subscription_id }: Owned, column: string): string =>
  `pki-core/${table}/${subscription_id}/${id}/${column}`

export const sealedBioTables = [
  sealedTable<BioSessionRow>({
    table: 'bio_session',
    idColumn: 'id',
    columns: ['capture', 'face_image'],
    context: (row, column) => bioSeal('bio_session', row, column),
  }),
  sealedTable<BioSubjectRow>({
    table: 'bio_subject',
    idColumn: 'id',
    columns: ['template', 'face_image'],
    context: (row, column) => bioSeal('bio_subject', row, column),
  }),
]
