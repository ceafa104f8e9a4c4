import { homeUrl } from '@chancela/service-kernel/config'
import { webhookEventTypes } from '../../contract/webhooks.ts'
import { type DocumentDependencies, documentView } from '../documents/document-view.ts'

/** What a webhook is told of a document, with links that are good from now on; undefined when it was deleted. */
export async function webhookBody(dependencies: DocumentDependencies, documentId: string): Promise<string | undefined> {
  const { store, settings } = dependencies.context
  const row = await store.db.selectFrom('document').selectAll().where('id', '=', documentId).executeTakeFirst()
  if (!row) return undefined
  const document = await documentView(dependencies, row, homeUrl(settings.Http))
  return JSON.stringify({ type: webhookEventTypes[0], document })
}
