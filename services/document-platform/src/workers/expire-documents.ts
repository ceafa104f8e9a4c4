import { MINUTE } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { expireDocument } from '../actions/documents/end-documents.ts'
import type { Context } from '../context.ts'

const AT_ONCE = 100

/** Expires pending documents whose day is over. */
export const expireDocuments = (context: Context): Worker =>
  sweeper(context, { name: 'document expiration', every: MINUTE / 2 }, async () => {
    const now = context.clock()
    const over = await context.store.db
      .selectFrom('document')
      .selectAll()
      .where('status', '=', 'Pending')
      .where('deleted_at', 'is', null)
      .where('expires_at', '<', now.toISOString())
      .orderBy('expires_at')
      .limit(AT_ONCE)
      .execute()
    for (const document of over) await expireDocument(context, document, now)
    return over.length === AT_ONCE
  })
