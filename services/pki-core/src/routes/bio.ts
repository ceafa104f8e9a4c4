import { clientAddress, serve } from '@chancela/service-kernel/http'
import { abort, consent, pageOf } from '../actions/bio/page.ts'
import { completeSession, readResultData, readStatus } from '../actions/bio/read-session.ts'
import { startSession } from '../actions/bio/start-session.ts'
import { deleteSubject, findSubject, readSubject, readSubjectFace } from '../actions/bio/subjects.ts'
import { takeFrame } from '../actions/bio/take-frame.ts'
import { byKey } from '../actions/management/acting.ts'
import type { Parts } from '../compose.ts'
import type { BioSessionType, StartRequest } from '../contract/bio.ts'
import * as contract from '../contract/bio.ts'
import * as page from '../contract/bio-page.ts'
import type { Caller } from '../rules/rights.ts'
import type { CoreApp } from './core-app.ts'

interface Starting {
  readonly caller: Caller
  readonly body: StartRequest
  readonly locale: string
  readonly now: Date
  readonly request: { readonly headers: { readonly 'accept-language'?: string | undefined } }
}

// Clients that ask for no language often send `*`; the browser of the person then decides.
const names = /\b(?:en|pt|es)\b/i

/** Biometric sessions and subjects, for applications. */
export function serveBio(app: CoreApp, parts: Parts): void {
  const start =
    (type: BioSessionType) =>
    ({ caller, body, locale, now, request }: Starting) => {
      const language = names.test(request.headers['accept-language'] ?? '') ? locale : undefined
      return startSession(parts, caller, { type, request: body, language }, now)
    }
  serve(app, contract.startLivenessSession, start('Liveness'))
  serve(app, contract.startEnrollmentSession, start('Enrollment'))
  serve(app, contract.startBioAuthenticationSession, start('Authentication'))
  serve(app, contract.startIdentificationSession, start('Identification'))
  serveOutcomes(app, parts)
  serveSubjects(app, parts)
}

function serveOutcomes(app: CoreApp, parts: Parts): void {
  serve(app, contract.completeLivenessSession, ({ caller, body, now }) =>
    completeSession(parts, caller, 'Liveness', body.ticket, now),
  )
  serve(app, contract.completeEnrollmentSession, ({ caller, body, now }) =>
    completeSession(parts, caller, 'Enrollment', body.ticket, now),
  )
  serve(app, contract.completeBioAuthenticationSession, ({ caller, body, now }) =>
    completeSession(parts, caller, 'Authentication', body.ticket, now),
  )
  serve(app, contract.completeIdentificationSession, ({ caller, body, now }) =>
    completeSession(parts, caller, 'Identification', body.ticket, now),
  )
  serve(app, contract.readLivenessStatus, ({ caller, params, now }) =>
    readStatus(parts, caller, 'Liveness', params.sessionId, now),
  )
  serve(app, contract.readEnrollmentStatus, ({ caller, params, now }) =>
    readStatus(parts, caller, 'Enrollment', params.sessionId, now),
  )
  serve(app, contract.readBioAuthenticationStatus, ({ caller, params, now }) =>
    readStatus(parts, caller, 'Authentication', params.sessionId, now),
  )
  serve(app, contract.readIdentificationStatus, ({ caller, params, now }) =>
    readStatus(parts, caller, 'Identification', params.sessionId, now),
  )
  serve(app, contract.readResultData, ({ caller, params, now }) => readResultData(parts, caller, params.sessionId, now))
}

function serveSubjects(app: CoreApp, parts: Parts): void {
  serve(app, contract.readSubject, ({ caller, params }) => readSubject(parts, caller, params.id))
  serve(app, contract.findSubject, ({ caller, query }) => findSubject(parts, caller, query.identifier))
  serve(app, contract.readSubjectFace, ({ caller, params }) => readSubjectFace(parts, caller, params.id))
  serve(app, contract.deleteSubject, ({ caller, params, now, request }) =>
    deleteSubject(parts, { ...caller, ...byKey(caller, request.ip) }, params.id, now),
  )
}

/** What the capture page sends, by the token of its session. */
export function serveBioPage(app: CoreApp, parts: Parts): void {
  serve(app, page.readBioPage, ({ caller, now }) => pageOf(parts, caller, now))
  serve(app, page.consentOnBioPage, ({ caller, request, now }) => consent(parts, caller, clientAddress(request), now))
  serve(app, page.sendBioFrame, ({ caller, body, signal, now }) =>
    takeFrame(parts, caller, { number: body.frame, jpeg: Buffer.from(body.jpeg, 'base64'), signal }, now),
  )
  serve(app, page.abortBioPage, ({ caller, now }) => abort(parts, caller, now))
}
