import { clientAddress, serve } from '@chancela/service-kernel/http'
import type { SessionOpening } from '../../actions/open-session.ts'
import { trySession } from '../../actions/try-session.ts'
import * as contract from '../../contract/sessions.ts'
import { boundCertificate } from '../../parts/certificates/signing-certificate.ts'
import { refuse } from '../../rules/refuse.ts'
import type { ContractApp } from './contract-app.ts'

/** Opening, reading and ending sessions. */
export function serveSessions(app: ContractApp, opening: SessionOpening): void {
  const { context, certificates, sessions } = opening

  serve(app, contract.createSession, async ({ body, caller, signal, correlationId, log, request }) => {
    const origin = { address: clientAddress(request), correlationId }
    const { sessionId, session } = await trySession(opening, body, { ...caller, origin, signal }, log)
    const { cpf, windowSeconds, expiresAt } = session
    return { sessionId, cpf, expiresIn: windowSeconds, expiresAt: expiresAt.toISOString() }
  })

  serve(app, contract.readSessionStatus, async ({ query: { sessionId }, now }) => {
    const session = sessions.find(sessionId, now)
    if (session) {
      const { windowSeconds: expiresIn, expiresAt } = session
      return { active: true, sessionId, expiresIn, expiresAt: expiresAt.toISOString() }
    }
    const endedAt = (await sessions.endedAt(sessionId)) ?? now
    return { active: false, sessionId, expiresIn: 0, expiresAt: endedAt.toISOString() }
  })

  serve(app, contract.deactivateSession, async ({ body: { sessionId }, now }) => {
    const session = sessions.find(sessionId, now)
    const endedAt = session && (await sessions.end(session.id, 'deactivated', now))
    if (!session || !endedAt) throw refuse('SESSION_EXPIRED')
    return { cpf: session.cpf, sessionId, active: false, endedAt: endedAt.toISOString() }
  })

  serve(app, contract.readCertificateInfo, async ({ query: { sessionId }, now }) => {
    const session = sessions.find(sessionId, now)
    if (!session) throw await sessions.refusalOf(sessionId)
    const row = await boundCertificate(context, session)
    if (row.der === null) throw refuse('CERT_DATA_UNAVAILABLE')
    return {
      // Empty when the certificate has no CPF.
      cpf: row.subject_cpf ?? '',
      subjectName: row.subject_name,
      issuer: row.issuer,
      serialNumber: row.serial_number,
      notBefore: row.not_before,
      notAfter: row.not_after,
      status: certificates.statusOf(row, now),
    }
  })
}
