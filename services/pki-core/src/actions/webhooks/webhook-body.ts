import { webhookEventTypes } from '../../contract/webhooks.ts'
import { type DocumentDependencies, documentView } from '../documents/document-view.ts'

/** What a webhook is told of a document, with links that are good from now on; undefined when it was deleted. */
export async function webhookBody(dependencies: DocumentDependencies, documentId: string): Promise<string | undefined> {
  const { store, settings } = dependencies.context
  const row = await store.db.selectFrom('document').selectAll().where('id', '=', documentId).executeTakeFirst()
  if (!row) return undefined
  const { PublicUrl, Host, Port } = settings.Http
  const document = await documentView(dependencies, row, PublicUrl ?? `http://${Host}:${Port}`)
  return JSON.stringify({ type: webhookEventTypes[0], document })
}
