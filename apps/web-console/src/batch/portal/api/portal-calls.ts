// What the portal asks the service. Every address is one for approvers: the session of one opens no other.
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/request.ts'
import type {
  Approver,
  BegunCloud,
  BegunFactor,
  BegunSignature,
  BegunToken,
  CompletedSignature,
  Decided,
  FactorVerdict,
  OwnSessions,
  PortalFile,
  PortalList,
  PortalListName,
  Rejection,
  Signing,
  StatedDecision,
} from './portal-types.ts'

const API = '/approvals/api'

const job = (id: string) => `${API}/jobs/${encodeURIComponent(id)}`

/** Approving many files, or judging a certificate, takes longer than an ordinary request. */
const SLOW_SECONDS = 300

export const approverQuery = queryOptions({
  queryKey: ['portal', 'me'],
  queryFn: ({ signal }) => call<Approver>('GET', `${API}/me`, { signal }),
})

export const ownSessionsQuery = queryOptions({
  queryKey: ['portal', 'sessions'],
  queryFn: ({ signal }) => call<OwnSessions>('GET', `${API}/sessions`, { signal }),
})

export const endSession = (id: string) => call<{ ended: number }>('DELETE', `${API}/sessions/${encodeURIComponent(id)}`)

export const endOtherSessions = () => call<{ ended: number }>('DELETE', `${API}/sessions`)

export const listQuery = (list: PortalListName) =>
  queryOptions({
    queryKey: ['portal', 'list', list],
    queryFn: ({ signal }) => call<PortalList>('GET', `${API}/lists/${list}`, { signal }),
  })

export const fileQuery = (id: string) =>
  queryOptions({
    queryKey: ['portal', 'file', id],
    queryFn: ({ signal }) => call<PortalFile>('GET', job(id), { signal }),
  })

export const exportAddress = (list: PortalListName) => `/approvals/export/${list}`

type Reason = string | undefined

export const approveOne = (id: string, reason: Reason) =>
  call<Decided>('POST', `${job(id)}/approve`, { body: withReason(reason) })

export const approveMany = async (ids: readonly string[]): Promise<readonly Decided[]> => {
  const options = { body: { ids }, timeoutSeconds: SLOW_SECONDS }
  return (await call<{ results: Decided[] }>('POST', `${API}/approve`, options)).results
}

export const rejectOne = (id: string, reason: Reason) =>
  call<Rejection>('POST', `${job(id)}/reject`, { body: withReason(reason) })

export const beginFactor = () => call<BegunFactor>('POST', `${API}/second-factor`)

export const confirmFactor = (enrolment: string, code: string) =>
  call<FactorVerdict>('PUT', `${API}/second-factor`, { body: { enrolment, code } })

export const verifyFactor = (code: string) =>
  call<FactorVerdict>('POST', `${API}/second-factor/verify`, { body: { code } })

export const beginSignature = (id: string, certificate: string) =>
  call<BegunSignature>('POST', `${job(id)}/signature`, { body: { certificate }, timeoutSeconds: SLOW_SECONDS })

export const completeSignature = (id: string, made: { token: string; signature: string; reason: Reason }) => {
  const body = { token: made.token, signature: made.signature, ...withReason(made.reason) }
  return call<CompletedSignature>('PUT', `${job(id)}/signature`, { body, timeoutSeconds: SLOW_SECONDS })
}

/** Counts an attempt that ended in this browser. */
export const endSignature = (id: string, outcome: 'abandoned' | 'browser-failed') =>
  call<void>('POST', `${job(id)}/signature/ended`, { body: { outcome } })

const signings = `${API}/signings`

const asked = (ids: readonly string[], reason: Reason) => ({ body: { ids, ...withReason(reason) } })

export const beginCloud = (ids: readonly string[], reason: Reason) =>
  call<BegunCloud>('POST', `${signings}/cloud`, asked(ids, reason))

export const beginToken = (ids: readonly string[], reason: Reason) =>
  call<BegunToken>('POST', `${signings}/token`, asked(ids, reason))

/** The look that finds the approval of a token's holder signs every file. */
export const lookSigning = (id: string) =>
  call<Signing>('POST', `${signings}/${encodeURIComponent(id)}/look`, { timeoutSeconds: SLOW_SECONDS })

export const cancelSigning = (id: string) => call<void>('DELETE', `${signings}/${encodeURIComponent(id)}`)

const LOOK_EVERY_MS = 1000

/** What became of a request; looked at again while something may still change. */
export const signingQuery = (id: string) =>
  queryOptions({
    queryKey: ['portal', 'signing', id],
    queryFn: () => lookSigning(id),
    refetchInterval: ({ state: { data } }) => (data?.state === 'signing' ? LOOK_EVERY_MS : false),
  })

/** A decision of somebody who is known by nothing but the address they state. */
export const decideAs = (
  id: string,
  { email, decision, reason }: { email: string; decision: 'approved' | 'rejected'; reason: Reason },
) =>
  call<StatedDecision>('POST', `/api/approvals/${encodeURIComponent(id)}`, {
    body: { email, decision, ...withReason(reason) },
  })

const withReason = (reason: Reason) => (reason === undefined ? {} : { reason })
