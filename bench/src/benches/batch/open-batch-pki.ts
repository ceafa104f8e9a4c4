import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@chancela/service-kernel/clock'
import { Certificate } from '@chancela/signature-engine/x509'
import { cachedKeys, createDemoPki, demoPkiHandler, Faults, type IssuedCertificate } from '@chancela/testkit/demo-pki'
import { type Holder, PKCS12_PASSWORD } from '../signatures/signing-world.ts'

/** A demo PKI in real time, as the service runs: its revocation data must stay fresh for hours. */
export async function openBatchPki<Kind extends string>(labels: Readonly<Record<Kind, string>>) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Must not keep the process alive after the benchmarks.
  server.unref()
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pki = await createDemoPki({ baseUrl, clock: systemClock, keys: cachedKeys() })
  server.on('request', demoPkiHandler(pki, { faults: new Faults() }))
  const holder = (issued: IssuedCertificate): Holder => ({
    certificate: Certificate.read(issued.der),
    chain: pki
      .chainOf(issued)
      .slice(1)
      .map(({ der }) => Certificate.read(der)),
    privateKey: issued.key.privateKey,
    pkcs12: pki.pkcs12(issued, { password: PKCS12_PASSWORD }),
  })
  const holders = Object.entries<string>(labels).map(([kind, label]) => [kind, holder(pki.certificate(label))])
  return { holders: Object.fromEntries(holders) as Record<Kind, Holder>, anchors: pki.trustAnchors() }
}
