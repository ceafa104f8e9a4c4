import type { ProvenList } from '../revocation/list-status.ts'
import {
  consultLists,
  consultResponse,
  holdsUntil,
  isFromFuture,
  type ListProver,
  noSupplements,
  proveList,
  type RevocationAnswer,
} from '../revocation/revocation-answer.ts'
import { type RevocationEvidence, readEvidence } from '../revocation/revocation-evidence.ts'
import type { RevocationSource } from '../revocation/revocation-source.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { CertificateReason, CertificateReasonCode, RevocationState, RevocationStatus } from './verdict.ts'

export interface RevocationQuestion {
  readonly at: Date
  readonly now: Date
  readonly evidence: RevocationEvidence | undefined
  readonly source: RevocationSource | undefined
  /** Proves lists that others than the issuer signed. */
  readonly prover: ListProver
}

export interface JudgedRevocation {
  readonly status: RevocationStatus
  readonly reasons: readonly CertificateReason[]
}

/** Whether the certificate was revoked at that time: by the data in the signature, else by a query. */
export async function judgeRevocation(
  certificate: Certificate,
  issuer: Certificate,
  question: RevocationQuestion,
): Promise<JudgedRevocation> {
  const embedded = strongest(await answersIn(question, certificate, issuer), certificate, question)
  if (embedded && isConclusive[embedded.meaning]) return judged(certificate, embedded, [], question.at)
  const { answer, problems } = (await question.source?.ask(certificate, issuer, question)) ?? noSource
  const asked = strongest([...(answer ? [answer] : []), ...(embedded ? [embedded.answer] : [])], certificate, question)
  return judged(certificate, asked, problems, question.at)
}

const noSource = { answer: null, problems: ['Revocation is only looked for inside the signature.'] }

/**
 * What an answer means for a time. Stale: no longer valid then. Silent: it does not cover expired certificates. Partial:
 * it does not speak of every reason.
 */
type Meaning = 'revoked' | 'on-hold' | 'good' | 'stale' | 'silent' | 'partial'

const isConclusive: Readonly<Record<Meaning, boolean>> = {
  revoked: true,
  'on-hold': true,
  good: true,
  stale: false,
  silent: false,
  partial: false,
}

interface Weighed {
  readonly answer: RevocationAnswer
  readonly meaning: Meaning
}

function meaningOf(answer: RevocationAnswer, { notAfter }: Certificate, at: Date): Meaning {
  const { revocation, thisUpdate, remembersExpiredSince } = answer
  if (revocation && revocation.at <= at && revocation.reason !== 'removeFromCRL') {
    return revocation.reason === 'certificateHold' ? 'on-hold' : 'revoked'
  }
  if (!answer.everyReason) return 'partial'
  // A revocation after that time means that there was none before.
  if (revocation) return 'good'
  if (holdsUntil(answer) < at) return 'stale'
  // Expired certificates are dropped from the lists: absence proves nothing then.
  const forgotten = thisUpdate > notAfter && !(remembersExpiredSince && remembersExpiredSince <= notAfter)
  return forgotten ? 'silent' : 'good'
}

/** Revoked by any is revoked; otherwise the newest conclusive answer. */
function strongest(
  answers: readonly RevocationAnswer[],
  certificate: Certificate,
  { at, now }: RevocationQuestion,
): Weighed | undefined {
  const weighed = answers
    .filter((answer) => !isFromFuture(answer, now))
    .map((answer) => ({ answer, meaning: meaningOf(answer, certificate, at) }))
  return weighed.toSorted(byStrength)[0]
}

const rank: Readonly<Record<Meaning, number>> = { revoked: 0, 'on-hold': 1, good: 1, silent: 2, stale: 3, partial: 4 }

const byStrength = (one: Weighed, other: Weighed): number =>
  rank[one.meaning] - rank[other.meaning] || other.answer.thisUpdate.getTime() - one.answer.thisUpdate.getTime()

async function answersIn(
  { evidence, now, prover }: RevocationQuestion,
  certificate: Certificate,
  issuer: Certificate,
): Promise<RevocationAnswer[]> {
  if (!evidence) return []
  const { lists, responses } = readEvidence(evidence)
  const consulted = responses.map((response) => consultResponse(response, certificate, issuer, null))
  const proven: ProvenList[] = []
  // A stranger's signature may repeat the same list thousands of times.
  for (const list of new Set(lists)) {
    // Of a list from the future nothing may be taken, also not its changes to an older one.
    const proof = isFromFuture(list, now) ? undefined : await proveList(list, certificate, issuer, prover)
    if (proof) proven.push({ list, url: null, ...proof })
  }
  return [...consulted.flatMap((one) => ('answer' in one ? [one.answer] : [])), ...consultLists(proven, certificate)]
}

const states: Readonly<Record<Meaning, RevocationState>> = {
  revoked: 'revoked',
  'on-hold': 'on-hold',
  good: 'good',
  stale: 'unknown',
  silent: 'unknown',
  partial: 'unknown',
}

const reasonCodes: Readonly<Record<Exclude<Meaning, 'good'>, CertificateReasonCode>> = {
  revoked: 'revocation.revoked',
  'on-hold': 'revocation.on-hold',
  stale: 'revocation.stale',
  silent: 'revocation.unknown',
  partial: 'revocation.unknown',
}

function judged(
  certificate: Certificate,
  weighed: Weighed | undefined,
  problems: readonly string[],
  at: Date,
): JudgedRevocation {
  const { answer, meaning } = weighed ?? { answer: undefined, meaning: undefined }
  const problem = meaning && isConclusive[meaning] ? null : problemOf(meaning, problems)
  const status: RevocationStatus = {
    certificate,
    state: meaning ? states[meaning] : 'unknown',
    source: answer?.source ?? null,
    url: answer?.url ?? null,
    producedAt: answer?.thisUpdate ?? null,
    nextUpdate: answer?.nextUpdate ?? null,
    revokedAt: answer?.revocation?.at ?? null,
    reason: answer?.revocation?.reason ?? null,
    evidence: answer?.evidence ?? null,
    ...(answer && answer.supplements !== noSupplements && { supplements: answer.supplements }),
    problem,
  }
  return { status, reasons: reasonsFor(status, meaning, at) }
}

function problemOf(meaning: Meaning | undefined, problems: readonly string[]): string {
  const own = meaning && openQuestions[meaning]
  return [...(own ? [own] : []), ...problems].join(' ')
}

const openQuestions: Readonly<Partial<Record<Meaning, string>>> = {
  silent: 'The certificate has expired since, and the answer does not speak of expired certificates.',
  partial: 'The lists do not speak of every reason for a revocation.',
}

// An expired certificate is reported as such; that no answer covers it any more adds nothing.
function reasonsFor(status: RevocationStatus, meaning: Meaning | undefined, at: Date): CertificateReason[] {
  const { certificate, revokedAt, reason, nextUpdate, problem } = status
  if (meaning === 'good' || (status.state === 'unknown' && at > certificate.notAfter)) return []
  const details = {
    ...(status.state !== 'unknown' && revokedAt && { revokedAt: revokedAt.toISOString() }),
    ...(status.state !== 'unknown' && reason && { reason }),
    ...(meaning === 'stale' && nextUpdate && { nextUpdate: nextUpdate.toISOString() }),
    ...(problem && { problem }),
  }
  return [{ code: meaning ? reasonCodes[meaning] : 'revocation.unknown', certificate, details }]
}
