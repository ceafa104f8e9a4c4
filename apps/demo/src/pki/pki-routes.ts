import { type DemoPki, demoPkiHandler, type Faults } from '@chancela/testkit/demo-pki'
import { answerAtConnection } from '../answer-at-connection.ts'
import type { PkiApp } from './pki-service.ts'

/** Routes of the protocols; clients find their addresses inside the certificates. */
const protocols = {
  GET: ['/roots.pem', '/cps.txt', '/aia/*', '/crl/*', '/crl-mirror/*', '/ocsp/*'],
  POST: ['/ocsp', '/tsa'],
} as const

/** Adds the PKI's protocols, which use DER, to the app. */
export function servePki(app: PkiApp, pki: DemoPki, faults: Faults): void {
  answerAtConnection(app, protocols, demoPkiHandler(pki, { faults, onError: (error) => app.log.error(error) }))
}
