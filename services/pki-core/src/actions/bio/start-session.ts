import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { homeUrl } from '@chancela/service-kernel/config'
import { invalidField } from '@chancela/service-kernel/errors'
import type { BioSessionType, StartRequest } from '../../contract/bio.ts'
import { idIn } from '../../rules/bio/ids.ts'
import { hashOf, newToken, ticketOf } from '../../rules/bio/tokens.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { insertSession } from '../../store/bio/sessions.ts'
import { findSubjectById, findSubjectByIdentifier } from '../../store/bio/subjects.ts'
import type { BioSubjectRow } from '../../store/bio/tables.ts'
import type { BioDependencies } from './dependencies.ts'
import { destinationOf, requireAvailable } from './start-request.ts'

type Dependencies = Pick<BioDependencies, 'context'>

interface Wanted {
  readonly type: BioSessionType
  readonly request: StartRequest
  /** What the caller reads, where it says so. */
  readonly language: string | undefined
}

/** Creates a session; its page is opened with a token that nobody else has. */
export async function startSession(
  { context }: Dependencies,
  caller: Caller,
  { type, request, language }: Wanted,
  now: Date,
) {
  const { settings, store } = context
  requireAvailable(request)
  const { trustedOrigin, returnUrl } = destinationOf(request, settings.Biometrics.ReturnUrls)
  const subject = await subjectOf(context, caller, type, request)
  const [id, token] = [crypto.randomUUID(), newToken()]
  await insertSession(store.db, {
    id,
    subscription_id: caller.subscriptionId,
    application_id: caller.applicationId,
    application: caller.application,
    type,
    state: 'Pending',
    failure: null,
    token_hash: hashOf(token),
    ticket_hash: hashOf(ticketOf(token)),
    completed_at: null,
    subject_identifier: subject?.identifier ?? request.subjectIdentifier ?? null,
    subject_id: subject?.id ?? null,
    overrides: request.dangerousOverrideIfAlreadyEnrolled === true ? 1 : 0,
    trusted_origin: trustedOrigin,
    return_url: returnUrl,
    consent: null,
    attempts: 0,
    frame: 0,
    capture: null,
    face_image: null,
    created_at: now.toISOString(),
    expires_at: plus(now, settings.Biometrics.SessionMinutes * MINUTE).toISOString(),
    ended_at: null,
  })
  return { sessionType: type, sessionId: id, sessionUrl: pageUrl(context, token, language) }
}

function pageUrl({ settings }: Dependencies['context'], token: string, language: string | undefined): string {
  const query = new URLSearchParams({ token, ...(language && { lang: language }) })
  return `${homeUrl(settings.Http)}/bio/session?${query}`
}

/** Whom the session is about, of those the subscription knows. */
async function subjectOf(
  context: Dependencies['context'],
  { subscriptionId }: Caller,
  type: BioSessionType,
  request: StartRequest,
): Promise<BioSubjectRow | undefined> {
  const { db } = context.store
  if (type === 'Authentication') return subjectToMatch(context, subscriptionId, request)
  if (type !== 'Enrollment') return undefined
  const known = await findSubjectByIdentifier(db, subscriptionId, request.subjectIdentifier!)
  if (known?.template && request.dangerousOverrideIfAlreadyEnrolled !== true)
    throw refuse('SubjectAlreadyEnrolled', { subjectIdentifier: request.subjectIdentifier })
  return known
}

async function subjectToMatch(
  { store: { db } }: Dependencies['context'],
  subscriptionId: string,
  { subject }: StartRequest,
): Promise<BioSubjectRow> {
  const { id, identifier } = subject ?? {}
  if (!id === !identifier) throw invalidField('subject', 'must have either id or identifier')
  const found = id
    ? await findSubjectById(db, subscriptionId, idIn(id))
    : await findSubjectByIdentifier(db, subscriptionId, identifier!)
  if (!found?.template) throw refuse('BioSubjectNotFound', { id, identifier })
  return found
}
