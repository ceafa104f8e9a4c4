import { type DemoPki, demoPkiHandler, type Faults } from '@chancela/testkit/demo-pki'
import { answerAtConnection } from '../answer-at-connection.ts'
import type { PkiApp } from './pki-service.ts'

/** Addresses of the protocols; clients find them inside the certificates. */
const protocols = {
  GET: ['/roots.pem', '/cps.txt', '/aia/*', '/crl/*', '/crl-mirror/*', '/ocsp/*'],
  POST: ['/ocsp', '/tsa'],
} as const

/** Puts the protocols of the PKI on the app: they speak DER. */
export function servePki(app: PkiApp, pki: DemoPki, faults: Faults): void {
  answerAtConnection(app, protocols, demoPkiHandler(pki, { faults, onError: (error) => app.log.error(error) }))
}
