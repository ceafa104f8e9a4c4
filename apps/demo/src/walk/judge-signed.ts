import { createJudge, exchangeOverHttp, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { validatePades } from '@chancela/signature-engine/pades'
import { type Language, signatureRows } from '@chancela/signature-engine/report'
import { readCertificates } from '@chancela/signature-engine/x509'
import type { WalkView } from '../home/contract.ts'

type Verdict = NonNullable<WalkView['verdict']>

// The demo's users are in one time zone; the server may be in another.
const timeZone = 'America/Sao_Paulo'

/**
 * Validates a signed PDF as a third party would: with the roots of the demo PKI and the revocation sources named in the
 * certificates, without asking the service that signed it.
 */
export async function judgeSigned(pdf: Uint8Array, rootsUrl: string, now: Date): Promise<Verdict> {
  const roots = readCertificates(Buffer.from(await (await fetch(rootsUrl)).arrayBuffer()))
  const judge = createJudge({
    anchors: TrustAnchors.of(roots),
    revocation: new RevocationSource(),
    exchange: exchangeOverHttp,
  })
  const report = await validatePades(pdf, { judge, now })
  const findings = (language: Language) =>
    report.signatures.flatMap((signature) => signatureRows(signature, language, { timeZone }))
  return {
    // A document without any signature is invalid here: a signature was expected.
    indication: report.signatures.length === 0 ? 'invalid' : report.indication,
    findings: { 'pt-BR': findings('pt-BR'), 'en-US': findings('en-US') },
  }
}
