import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listDocuments as contract, documentFilters } from '../../contract/documents.ts'
import type { Caller } from '../../rules/caller.ts'
import { readDocumentKey } from '../../rules/document-key.ts'
import { reachOf } from '../../rules/rights.ts'
import { digitsOf } from '../../rules/search-key.ts'
import type { DocumentStatus } from '../../rules/vocabulary.ts'
import * as list from '../../store/document-list.ts'
import { type DocumentFilter, EVERYTHING } from '../../store/document-search.ts'
import { foldersBelow } from '../../store/folder-reads.ts'
import { requiredFolder } from '../folders/folders.ts'

type Query = Static<typeof contract.query>

/** The statuses behind each filter of the API. A flow that has just ended counts as concluded: conclusion follows. */
const statusFilters: Readonly<Record<(typeof documentFilters)[number], readonly DocumentStatus[]>> = {
  PendingOrRefused: ['Pending', 'Refused'],
  Concluded: ['Concluded', 'FlowConcluded'],
  CanceledOrExpired: ['Canceled', 'Expired'],
  Pending: ['Pending'],
  Refused: ['Refused'],
  Canceled: ['Canceled'],
  Expired: ['Expired'],
}

/** Above this, lists leave their total out (document-platform facts 1.1). */
const COUNTED = 10_000

/** A page of the documents a caller may see. */
export async function listDocuments(context: Context, caller: Caller, query: Query) {
  const limit = query.limit ?? 10
  const { items, total } = await list.listDocuments(context.store.db, await filterOf(context, caller, query), {
    limit,
    offset: query.offset ?? 0,
    order: query.order === 'Asc' ? 'asc' : 'desc',
    after: query.cursor?.toLowerCase(),
    counted: context.settings.Documents.HideDocumentPaginationTotal ? COUNTED : EVERYTHING,
  })
  const last = items.length === limit ? items.at(-1) : undefined
  return { items: items.map(itemView), totalCount: total, nextCursor: last?.document.id ?? null }
}

async function filterOf(context: Context, caller: Caller, query: Query): Promise<DocumentFilter> {
  return {
    organizationId: caller.organizationId,
    statuses: statusesOf(query),
    folderIds: await foldersOf(context, caller, query),
    type: query.filterByDocumentType ? query.documentType : undefined,
    hasSigners: query.filterByPendingSignature,
    isDeleted: query.isDeleted ?? false,
    text: textOf(query),
    participant: participantOf(query),
    involved: reachOf(caller, 'documents.read') === 'all' ? undefined : caller.id,
    tags: tagsOf(query.tags),
  }
}

function statusesOf({ status, isConcluded }: Query): readonly DocumentStatus[] | undefined {
  if (status) return statusFilters[status]
  if (isConcluded === undefined) return undefined
  return isConcluded ? statusFilters.Concluded : ['Pending', 'Refused', 'Canceled', 'Expired']
}

async function foldersOf(
  { store }: Context,
  caller: Caller,
  { folderId, folderType }: Query,
): Promise<readonly string[] | null | undefined> {
  if (folderId) {
    const { id } = await store.transaction((tx) => requiredFolder(tx, caller, folderId))
    return [id]
  }
  if (caller.folderIds !== null) return foldersBelow(store.db, caller.folderIds)
  return folderType === 'WithoutFolder' ? null : undefined
}

function textOf({ q, queryType = 'Name' }: Query): DocumentFilter['text'] {
  const value = q?.trim()
  if (!value) return undefined
  if (queryType === 'Key') return { by: 'key', value: readDocumentKey(value) ?? value }
  if (queryType === 'Id') return { by: 'id', value: value.toLowerCase() }
  if (queryType === 'CreatorName') return { by: 'creator', value }
  if (queryType === 'Tag') return { by: 'tag', value }
  return { by: 'name', value }
}

/** One client sends the text `null` for an absent value. */
function participantOf({ participantQ, participantQueryType = 'Name' }: Query): DocumentFilter['participant'] {
  const value = participantQ?.trim()
  if (!value || value === 'null') return undefined
  if (participantQueryType === 'Identifier') return { by: 'identifier', value: digitsOf(value) }
  if (participantQueryType === 'Email') return { by: 'email', value: value.toLowerCase() }
  if (participantQueryType === 'Phone') return { by: 'phone', value }
  return { by: 'name', value }
}

/** Most tag pairs a list request uses; the others are ignored (document-platform facts 1.7). */
const MOST_TAGS = 10

const tagsOf = (text: string | undefined): DocumentFilter['tags'] =>
  (text ?? '')
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .slice(0, MOST_TAGS)
    .map((pair) => {
      const at = pair.indexOf('|')
      return { label: at > 0 ? pair.slice(0, at).trim() : null, value: pair.slice(at + 1).trim() }
    })

const itemView = ({ document, folder, tags, pending }: list.ListedDocument) => ({
  id: document.id,
  name: document.name,
  creationDate: document.created_at,
  updateDate: document.updated_at,
  folder: folder ? { id: folder.id, name: folder.name, parentId: folder.parent_id } : null,
  type: document.type,
  tags: tags.map(({ id, label, value }) => ({ id, label, value })),
  status: document.status,
  key: document.key,
  expirationDate: document.expires_at,
  createdBy: { id: document.created_by_id, name: document.created_by_name },
  pendingParticipants: pending,
})
