import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { NewSavedFlow, Page, SavedFlow, SavedFlowItem } from './types.ts'

/** A list of more saved flows than this would be unusable. */
const MOST = 200

export const flowsQuery = queryOptions({
  queryKey: ['flows'],
  queryFn: async ({ signal }) =>
    (await call<Page<SavedFlowItem>>('GET', `/api/document-flows?limit=${MOST}&order=Asc`, { signal })).items,
})

export const readFlow = (id: string) => call<SavedFlow>('GET', `/api/document-flows/${encodeURIComponent(id)}`)

export const saveFlow = (body: NewSavedFlow) => call<SavedFlow>('POST', '/api/document-flows', { body })

export const deleteFlow = (id: string) => call<unknown>('DELETE', `/api/document-flows/${encodeURIComponent(id)}`)
