import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createJudge, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { Certificate } from '@chancela/signature-engine/x509'
import {
  cachedKeys,
  createDemoPki,
  type DemoPki,
  demoPkiHandler,
  Faults,
  type IssuedCertificate,
} from '@chancela/testkit/demo-pki'
import { type Holder, PKCS12_PASSWORD, type SigningWorld } from './signing-world.ts'

/** A demo PKI with its network, two of its holders, and a judge who trusts its root. */
export async function openSigningWorld(): Promise<SigningWorld> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Must not keep the process alive after the benchmarks.
  server.unref()
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const now = new Date()
  const pki = await createDemoPki({ baseUrl, clock: () => now, keys: cachedKeys() })
  server.on('request', demoPkiHandler(pki, { faults: new Faults() }))
  const root = Certificate.read(pki.certificate('root').der)
  return {
    now,
    pki,
    root,
    judge: createJudge({ anchors: TrustAnchors.of([root]), revocation: new RevocationSource() }),
    rsa: holder(pki, pki.certificate('ana-souza')),
    ec: holder(pki, pki.certificate('davi-moreira')),
    goOffline: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const holder = (pki: DemoPki, issued: IssuedCertificate): Holder => ({
  certificate: Certificate.read(issued.der),
  chain: pki
    .chainOf(issued)
    .slice(1)
    .map(({ der }) => Certificate.read(der)),
  privateKey: issued.key.privateKey,
  pkcs12: pki.pkcs12(issued, { password: PKCS12_PASSWORD }),
})
