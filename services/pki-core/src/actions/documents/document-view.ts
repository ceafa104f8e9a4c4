import type { Context } from '../../context.ts'
import type { DocumentView } from '../../contract/documents.ts'
import type { Files } from '../../parts/files/files.ts'
import { keptCertificate } from '../../parts/trust/known-certificates.ts'
import { certificateModel } from '../../rules/certificate-model.ts'
import { formattedKey } from '../../rules/document-key.ts'
import type { DocumentRow, DocumentSignerRow } from '../../store/document-tables.ts'
import { fileOf, signersOf } from '../../store/documents.ts'

export interface DocumentDependencies {
  readonly context: Context
  readonly files: Files
}

/** A document as answers and webhooks show it; `base` is where its links begin. Its signers are read unless given. */
export async function documentView(
  { context, files }: DocumentDependencies,
  row: DocumentRow,
  base: string,
  signers?: readonly DocumentSignerRow[],
): Promise<DocumentView> {
  const file = (kind: 'original' | 'signed') => files.view(fileOf(row, kind), { kind, id: row.id }, base)
  return {
    id: row.id,
    key: row.key,
    formattedKey: formattedKey(row.key),
    originalFile: file('original'),
    markedFile: null,
    signedFile: file('signed'),
    signatureType: row.signature_type,
    availableUntil: row.available_until,
    signers: (signers ?? (await signersOf(context.store.db, row.id))).map(signerSummary),
    metadata: JSON.parse(row.metadata),
  }
}

const signerSummary = ({ certificate, signed_at }: DocumentSignerRow): DocumentView['signers'][number] => ({
  certificate: certificateModel(keptCertificate(certificate)),
  date: signed_at,
})
