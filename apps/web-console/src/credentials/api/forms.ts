import { queryOptions } from '@tanstack/react-query'
import type { LayoutForm } from '../editor/form-types.ts'
import type { Draft } from '../parts/draft.ts'
import { ask } from './acting-for.ts'
import { addressOf } from './lists.ts'
import type { Item } from './types.ts'

/** Kinds of documents that are made on a page. */
export type MadeResource = 'degrees' | 'emissions' | 'academic-transcripts' | 'curriculums'

const LAYOUT = '1.05'

/** The form of a kind; its words follow the language of the page. */
export const formQuery = (kind: MadeResource | 'registrations', language: string) =>
  queryOptions({
    queryKey: ['form', kind, language],
    queryFn: ({ signal }) =>
      ask<LayoutForm>('GET', `/api/layouts/${LAYOUT}/forms/${kind}`, {
        signal,
        headers: { 'accept-language': language },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })

interface Checked {
  readonly academicTranscriptCreationError: string | null
}

/** Attachments may be many megabytes. */
const timeoutSeconds = 180

export const checkItem = (resource: MadeResource, body: Draft) =>
  ask<Checked>('POST', `/api/${resource}/check`, { body, timeoutSeconds })

/** A creation that is repeated with the same key makes nothing twice. */
export const makeItem = (resource: MadeResource, body: Draft, key: string) =>
  ask<Item>('POST', `/api/${resource}`, { body, timeoutSeconds, headers: { 'Idempotency-Key': key } })

export interface CurriculumData {
  readonly instituteId: string
  readonly courseId: string | null
  readonly data: Draft
}

export const readCurriculumData = (id: string) => ask<CurriculumData>('GET', `${addressOf('curriculums', id)}/data`)
