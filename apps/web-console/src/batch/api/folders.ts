import type {
  AnswerOf,
  addFolder as addFolderRoute,
  BodyOf,
  releaseFolder as releaseRoute,
} from '@chancela/batch-signer/contract'
import { call } from '../../shared/api/request.ts'
import type { Folder } from './types.ts'

/** What a form of a folder sends. */
export type FolderDraft = BodyOf<typeof addFolderRoute>

const ROOT = '/dashboard/api/folders'
const one = (name: string) => `${ROOT}/${encodeURIComponent(name)}`

export const addFolder = (draft: FolderDraft) => call<Folder>('POST', ROOT, { body: draft })

export const editFolder = ({ name, ...draft }: FolderDraft, version: number) =>
  call<Folder>('PUT', one(name), { body: { ...draft, version } })

export const removeFolder = (name: string) => call<{ name: string }>('DELETE', one(name))

export const pauseFolder = (name: string, reason: string | undefined) =>
  call<Folder>('POST', `${one(name)}/pause`, { body: reason === undefined ? {} : { reason } })

export const resumeFolder = (name: string, reason: string | undefined) =>
  call<Folder>('POST', `${one(name)}/resume`, { body: reason === undefined ? {} : { reason } })

/** An operator's word: files that lay there before the database knew the folder are signed. */
export const releaseFolder = (name: string) =>
  call<AnswerOf<typeof releaseRoute>>('POST', `/api/folders/${encodeURIComponent(name)}/release`)
