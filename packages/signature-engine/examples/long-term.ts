import { readFile, writeFile } from 'node:fs/promises'
import { createJudge, exchangeOverHttp, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { pkcs12Signer } from '@chancela/signature-engine/keys'
import { extendPades, signPades } from '@chancela/signature-engine/pades'
import { createTimestampClient } from '@chancela/signature-engine/timestamps'
import { readCertificates } from '@chancela/signature-engine/x509'

const judge = createJudge({
  anchors: TrustAnchors.of(readCertificates(await readFile('roots.pem'))),
  revocation: new RevocationSource(),
  exchange: exchangeOverHttp,
})
// The second authority is asked when the first does not answer.
const timestamps = createTimestampClient({
  authorities: [{ url: process.env.TSA_URL ?? 'http://tsa.example/' }, { url: 'http://spare.example/' }],
})
const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')

// B-LTA: with a timestamp, the whole chain, proof that nothing was revoked, and a timestamp over it all.
const signed = await signPades(await readFile('contract.pdf'), signer, {
  now: new Date(),
  level: 'B-LTA',
  timestamps,
  judge,
})
await writeFile('contract.archive.pdf', signed)

// Years later, before the last timestamp loses its force: the same again renews it.
const renewed = await extendPades(signed, { now: new Date(), level: 'B-LTA', timestamps, judge })
await writeFile('contract.renewed.pdf', renewed)
await signer.close()
