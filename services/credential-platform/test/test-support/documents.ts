// XML documents, put into the store as the signing desk does it.
import { openBlobStore } from '@chancela/service-kernel/blobs'
import { newRowId } from '@chancela/service-kernel/store'
import { insertDocument } from '../../src/store/documents.ts'
import type { CredentialWorld } from './credential-world.ts'
import { CNPJ } from './pki.ts'

const xml = Buffer.from(
  `<CurriculoEscolar xmlns="http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd"><infCurriculoEscolar versao="1.05"><IesEmissora><CNPJ>${CNPJ}</CNPJ></IesEmissora></infCurriculoEscolar></CurriculoEscolar>`,
)

/** A document that nobody has signed, of no item. */
export async function documentAt(
  { store, context, clock, settings }: CredentialWorld,
  place: { readonly subscriptionId: string; readonly instituteId: string },
): Promise<string> {
  const blobs = await openBlobStore(settings.Storage, context)
  const { digest, size } = await blobs.put(xml)
  await blobs.close()
  const at = clock().toISOString()
  const id = newRowId(clock())
  await insertDocument(
    store.db,
    {
      id,
      subscription_id: place.subscriptionId,
      institute_id: place.instituteId,
      owner_kind: 'Curriculum',
      owner_id: crypto.randomUUID(),
      document_kind: 'curriculum',
      file_name: 'xml',
      status: 'Open',
      revision: 0,
      digest,
      plan: JSON.stringify({ people: {}, levels: {} }),
      error: null,
      created_at: at,
      updated_at: at,
      closed_at: null,
    },
    size,
  )
  return id
}
