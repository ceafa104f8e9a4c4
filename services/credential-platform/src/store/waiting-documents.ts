// Who can sign which open document now. It follows from the bytes of a document, and is kept for each version.
import type { Db } from '@chancela/service-kernel/store'
import { LIVE } from './platform-documents.ts'
import type { XmlDocumentRow } from './signing-tables.ts'
import type { Tables } from './tables.ts'

/** Any person of the organization. */
export const ANYBODY = '*'
/** No person: it waits for the institution, or for what is being added. */
const NOBODY = '-'

export async function keepWaits(
  db: Db<Tables>,
  { id: document_id, revision }: Pick<XmlDocumentRow, 'id' | 'revision'>,
  signers: readonly string[],
): Promise<void> {
  const names = [...new Set(signers.length === 0 ? [NOBODY] : signers)]
  await db.deleteFrom('document_wait').where('document_id', '=', document_id).where('revision', '<', revision).execute()
  await db
    .insertInto('document_wait')
    .values(names.map((signer) => ({ document_id, revision, signer })))
    .onConflict((on) => on.doNothing())
    .execute()
}

/** Open documents of whose newest version it is not known yet. */
export const unknownWaits = (
  db: Db<Tables>,
  subscriptionId: string,
  limit: number,
): Promise<readonly XmlDocumentRow[]> =>
  db
    .selectFrom('xml_document as d')
    .selectAll('d')
    .where('d.subscription_id', '=', subscriptionId)
    .where('d.status', '=', 'Open')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('document_wait as w')
            .select('w.document_id')
            .whereRef('w.document_id', '=', 'd.id')
            .whereRef('w.revision', '=', 'd.revision'),
        ),
      ),
    )
    .orderBy('d.id')
    .limit(limit)
    .execute()

/** Open documents that one of these can sign here, oldest first. */
export async function waitingDocuments(
  db: Db<Tables>,
  { subscriptionId, signers }: { readonly subscriptionId: string; readonly signers: readonly string[] },
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const matching = db
    .selectFrom('xml_document as d')
    .innerJoin('document_wait as w', (join) =>
      join.onRef('w.document_id', '=', 'd.id').onRef('w.revision', '=', 'd.revision'),
    )
    .innerJoin('institute as i', 'i.id', 'd.institute_id')
    .where('d.subscription_id', '=', subscriptionId)
    .where('d.status', '=', 'Open')
    .where('w.signer', 'in', [...signers])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('platform_document as p')
            .select('p.id')
            .whereRef('p.xml_document_id', '=', 'd.id')
            .where('p.status', 'in', LIVE),
        ),
      ),
    )
  const items = await matching
    .selectAll('d')
    .select(['w.signer', 'i.name as institute'])
    .orderBy('d.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await matching
    .select((row) => row.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}
