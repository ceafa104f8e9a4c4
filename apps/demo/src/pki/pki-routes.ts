import { type DemoPki, demoPkiHandler, type Faults } from '@chancela/testkit/demo-pki'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PkiApp } from './pki-service.ts'

/** Addresses of the protocols; clients find them inside the certificates. */
const protocols = {
  GET: ['/roots.pem', '/cps.txt', '/aia/*', '/crl/*', '/crl-mirror/*', '/ocsp/*'],
  POST: ['/ocsp', '/tsa'],
} as const

/**
 * Puts the protocols of the PKI on the app. They speak DER, not JSON, and their faults reach down to the connection, so
 * the PKI answers them itself; the kernel's headers, log line and drain stay around it.
 */
export function servePki(app: PkiApp, pki: DemoPki, faults: Faults): void {
  const handle = demoPkiHandler(pki, { faults, onError: (error) => app.log.error(error) })
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    handle(request.raw, reply.raw)
  }
  for (const [method, urls] of Object.entries(protocols)) {
    for (const url of urls) app.route({ method, url, onRequest, handler: () => {} })
  }
}
