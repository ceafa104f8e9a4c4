import { testClock } from '@chancela/testkit/clock'
import { cachedKeys, startDemoPki } from '@chancela/testkit/demo-pki'
import { createJudge } from '../../judgement/judge-certificate.ts'
import type { DigestSigner } from '../../keys/digest-signer.ts'
import { keySigner } from '../../keys/key-signer.ts'
import type { PdfPassword } from '../../pdf/pdf-file.ts'
import { RevocationSource } from '../../revocation/revocation-source.ts'
import { createTimestampClient } from '../../timestamps/timestamp-client.ts'
import { TrustAnchors } from '../../trust/trust-anchors.ts'
import { Certificate } from '../../x509/certificate.ts'
import { type SignPadesOptions, signPades } from '../sign-pades.ts'
import { validatePades } from '../validate-pades.ts'

/** Everything needed to sign and validate PDFs, under one demo PKI. */
export async function openSigningRoom() {
  const clock = testClock(new Date())
  const { pki, baseUrl, stop } = await startDemoPki({ keys: cachedKeys(), clock })
  const read = ({ der }: { der: Uint8Array }) => Certificate.read(der)
  const issued = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' }, { key: 'P-256' })
  const signer: DigestSigner = keySigner({
    certificate: read(issued),
    chain: pki.chainOf(issued).slice(1).map(read),
    privateKey: issued.key.privateKey,
  })
  const newJudge = () =>
    createJudge({ anchors: TrustAnchors.of([read(pki.certificate('root'))]), revocation: new RevocationSource() })
  const judge = newJudge()
  const timestamps = createTimestampClient({ authorities: [{ url: `${baseUrl}/tsa` }] })
  return {
    pki,
    stop,
    clock,
    signer,
    timestamps,
    /** A judge with empty caches, as for a validation years later. */
    newJudge,
    sign: (pdf: Uint8Array, options: Partial<SignPadesOptions> = {}) =>
      signPades(pdf, signer, { now: clock(), timestamps, judge, ...options }),
    validate: (pdf: Uint8Array, options: PdfPassword = {}) => validatePades(pdf, { judge, now: clock(), ...options }),
  }
}

export type SigningRoom = Awaited<ReturnType<typeof openSigningRoom>>
