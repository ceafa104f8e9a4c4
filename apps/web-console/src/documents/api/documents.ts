import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import { type DocumentFilters, listQuery } from '../list/document-filters.ts'
import type {
  ActionUrl,
  ContentType,
  CreatedDocument,
  DocumentItem,
  DocumentView,
  FileReference,
  NewDocuments,
  NewFlowAction,
  Page,
  TimelineEntry,
} from './types.ts'

/** Participants act elsewhere: pending documents are refetched at this interval. */
const REFRESH_MS = 10_000

const document = (id: string) => `/api/documents/${encodeURIComponent(id)}`

/** The list of documents; the current page stays visible while the next one loads. */
export const documentsQuery = (filters: DocumentFilters) =>
  queryOptions({
    queryKey: ['documents', filters],
    queryFn: ({ signal }) => call<Page<DocumentItem>>('GET', `/api/documents?${listQuery(filters)}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['document', id],
    queryFn: ({ signal }) => call<DocumentView>('GET', document(id), { signal }),
    refetchInterval: REFRESH_MS,
  })

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['document', id, 'timeline'],
    queryFn: ({ signal }) => call<TimelineEntry[]>('GET', `${document(id)}/timeline`, { signal }),
    refetchInterval: REFRESH_MS,
  })

/** Merging an envelope may take longer than an ordinary request. */
const SLOW_SECONDS = 120

export const createDocuments = (body: NewDocuments) =>
  call<CreatedDocument[]>('POST', '/api/documents', { body, timeoutSeconds: SLOW_SECONDS })

/** The address of a document's content, in one of its forms. */
export const contentAddress = (id: string, type: ContentType) => `${document(id)}/content?type=${type}`

export const attachmentAddress = (id: string, attachmentId: string) =>
  `${document(id)}/attachments/${encodeURIComponent(attachmentId)}`

export interface Participant {
  readonly flowActionId: string
  readonly identifier?: string | null
  readonly emailAddress?: string | null
}

export const createActionUrl = (id: string, participant: Participant) =>
  call<ActionUrl>('POST', `${document(id)}/action-url`, { body: participant })

/** Of one action's participants, or of all. */
export const revokeActionUrls = (id: string, whose: Partial<Participant> = {}) =>
  call<{ revoked: number }>('POST', `${document(id)}/action-url/revocation`, { body: whose })

export const remind = (documentId: string, flowActionId: string) =>
  call<unknown>('POST', '/api/notifications/flow-action-reminder', { body: { documentId, flowActionId } })

export const cancelDocument = (id: string, reason: string) =>
  call<unknown>('POST', `${document(id)}/cancellation`, { body: { reason } })

export const deleteDocument = (id: string) => call<unknown>('DELETE', document(id))

export const moveDocument = (id: string, folderId: string | null) =>
  call<unknown>('POST', `${document(id)}/folder`, { body: { folderId } })

export const addVersion = (id: string, file: FileReference) =>
  call<unknown>('POST', `${document(id)}/versions`, { body: { file }, timeoutSeconds: SLOW_SECONDS })

export const addEnvelopeVersion = (id: string, files: readonly FileReference[], envelopeName: string) =>
  call<unknown>('POST', `${document(id)}/envelope/versions`, {
    body: { files, envelopeName },
    timeoutSeconds: SLOW_SECONDS,
  })

export interface FlowChange {
  readonly addedFlowActions?: readonly NewFlowAction[]
  readonly deletedFlowActionIds?: readonly string[]
}

export const editFlow = (id: string, change: FlowChange) =>
  call<unknown>('POST', `${document(id)}/flow`, { body: change })
