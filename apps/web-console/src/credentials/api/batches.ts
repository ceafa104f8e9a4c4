import { queryOptions } from '@tanstack/react-query'
import { sendBody } from '../../shared/upload/send-form.ts'
import { ask, pageHeaders } from './acting-for.ts'
import { addressOf, type ListSearch, listQuery } from './lists.ts'
import type { Batch, BatchRow } from './types.ts'

/** Kinds that batches make, as in the paths of the API. */
export const batchResources = ['degrees', 'emissions', 'academic-transcripts'] as const
export type BatchResource = (typeof batchResources)[number]

export const batchesOf = (resource: BatchResource) => `${resource}/batches` as const

/** The latest of each kind; those under way are looked at again. */
const SHOWN = 10
const REFRESH_MS = 2000

export const isUnderWay = ({ status }: Pick<Batch, 'status'>): boolean =>
  status === 'Created' || status === 'Processing'

export const latestQuery = (resource: BatchResource) =>
  queryOptions({
    ...listQuery<Batch>(batchesOf(resource), { pageSize: SHOWN }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? REFRESH_MS : false),
  })

export const failedRowsQuery = (resource: BatchResource, id: string, page: number) =>
  listQuery<BatchRow>(`${batchesOf(resource)}/${encodeURIComponent(id)}/rows`, { status: 'Failed', page })

const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  json: 'application/json',
}

/** By the ending of its name: browsers know no type of some, and spreadsheets claim that of others. */
const typeOf = ({ name }: File): string => mediaTypes[/[^.]*$/.exec(name)![0].toLowerCase()] ?? 'text/csv'

export interface NewBatch {
  readonly resource: BatchResource
  readonly file: File
  readonly options: ListSearch
  readonly onProgress: (share: number) => void
}

export function sendBatch({ resource, file, options, onProgress }: NewBatch): Promise<Batch> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const headers = { ...pageHeaders(), 'content-type': typeOf(file) }
  return sendBody<Batch>(`/api/${batchesOf(resource)}?${query}`, file, { headers, onProgress })
}

export const cancelBatch = ({ resource, id }: { readonly resource: BatchResource; readonly id: string }) =>
  ask<Batch>('POST', `${addressOf(batchesOf(resource), id)}/cancellation`)
