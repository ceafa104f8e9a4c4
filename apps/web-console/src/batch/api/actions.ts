import { call, send } from '../../shared/api/request.ts'
import type { Language } from '../../shared/i18n/languages.ts'
import type {
  Approvers,
  BulkResult,
  CleanupResult,
  ClearResult,
  Conditions,
  DeletedJob,
  PipelineState,
  Rescan,
  RetriedFailures,
  RetryTurn,
  Session,
} from './types.ts'

const job = (id: string) => `/api/jobs/${encodeURIComponent(id)}`

/** Deleting walks over files; it may take longer than an ordinary request. */
const SLOW_SECONDS = 600

export const retryJob = (id: string) =>
  call<{ newJobId: string; parentJobId: string; status: string }>('POST', `${job(id)}/retry`)

export const cancelJob = (id: string, reason: string | undefined) =>
  call<{ jobId: string; status: string }>('POST', `${job(id)}/cancel`, { body: withReason(reason) })

export const deleteJob = (id: string, reason: string | undefined) =>
  call<DeletedJob>('DELETE', `/dashboard/api/jobs/${encodeURIComponent(id)}`, { body: withReason(reason) })

export type BulkAction = 'retry' | 'cancel' | 'delete'

export const actOnJobs = async (
  action: BulkAction,
  ids: readonly string[],
  reason: string | undefined,
): Promise<readonly BulkResult[]> => {
  const options = { body: { action, ids, ...withReason(reason) }, timeoutSeconds: SLOW_SECONDS }
  return (await call<{ results: BulkResult[] }>('POST', '/dashboard/api/jobs/bulk', options)).results
}

/**
 * Retries all failures of a cause since a time, some hundreds a call, and tells after each how many are done. What fails
 * again meanwhile is left alone.
 */
export async function retryFailures(
  cause: string,
  since: string,
  onProgress: (done: number) => void,
): Promise<RetriedFailures> {
  const sum = { taken: 0, refused: [] as RetriedFailures['refused'] }
  let turn: Pick<RetryTurn, 'next' | 'until'> | undefined
  do {
    const body = { cause, since, ...(turn && { after: turn.next, until: turn.until }) }
    const options = { body, timeoutSeconds: SLOW_SECONDS }
    const answer: RetryTurn = await call('POST', '/dashboard/api/failures/retry', options)
    sum.taken += answer.taken
    sum.refused = added(sum.refused, answer.refused)
    turn = answer
    onProgress(sum.taken + sum.refused.reduce((total, { count }) => total + count, 0))
  } while (turn.next !== null)
  return sum
}

function added(one: RetriedFailures['refused'], other: RetriedFailures['refused']): RetriedFailures['refused'] {
  const codes = new Map(one.map((refused) => [refused.code, refused]))
  for (const refused of other)
    codes.set(refused.code, { ...refused, count: refused.count + (codes.get(refused.code)?.count ?? 0) })
  return [...codes.values()]
}

export const endSession = (id: string) =>
  call<{ ended: number }>('DELETE', `/dashboard/api/sessions/${encodeURIComponent(id)}`)

export const endSessions = (kind: Session['kind']) =>
  call<{ ended: number }>('DELETE', `/dashboard/api/sessions?kind=${kind}`)

export const clearJobs = () => call<ClearResult>('DELETE', '/api/jobs', { timeoutSeconds: SLOW_SECONDS })

export const pausePipeline = (reason: string | undefined) =>
  call<PipelineState>('POST', '/api/pipeline/pause', { body: withReason(reason) })

export const resumePipeline = (reason: string | undefined) =>
  call<PipelineState>('POST', '/api/pipeline/resume', { body: withReason(reason) })

/** Tries a held profile; the probe of a remote authority may take its time. */
export const tryProfile = (name: string) =>
  call<Conditions>('POST', `/dashboard/api/profiles/${encodeURIComponent(name)}/try`, { timeoutSeconds: 60 })

/** Tries a held folder; that of a share may take its time. */
export const tryFolder = (name: string) =>
  call<Conditions>('POST', `/dashboard/api/folders/${encodeURIComponent(name)}/try`, { timeoutSeconds: 60 })

/** Rescans one folder, or all of them. */
export const rescan = (folder: string | undefined) =>
  call<Rescan>('POST', `/api/rescan${folder === undefined ? '' : `?folder=${encodeURIComponent(folder)}`}`, {
    timeoutSeconds: SLOW_SECONDS,
  })

export const runCleanup = () => call<CleanupResult>('POST', '/api/cleanup', { timeoutSeconds: SLOW_SECONDS })

/** Forgets the authenticator app of an approver, who then enrols another. */
export const resetFactor = (email: string) =>
  call<Approvers>('POST', '/dashboard/api/approvers/second-factor/reset', { body: { email } })

export const startBackup = () => call<unknown>('POST', '/api/backup')

export const cancelBackup = () => call<unknown>('POST', '/api/backup/cancel')

/** Sets the language of what the service itself renders: reasons, spreadsheets, the login page at the next visit. */
export async function setCulture(language: Language): Promise<void> {
  const query = new URLSearchParams({ culture: language, redirectUri: '/' })
  // The page has the language already; a failed request is repeated at the next change.
  await send('POST', `/api/culture?${query}`).catch(() => {})
}

const withReason = (reason: string | undefined) => (reason === undefined ? {} : { reason })
