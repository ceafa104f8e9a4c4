import { createJudge, exchangeOverHttp, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { validatePades } from '@chancela/signature-engine/pades'
import { type Language, signatureRows } from '@chancela/signature-engine/report'
import { readCertificates } from '@chancela/signature-engine/x509'
import type { WalkView } from '../home/contract.ts'

type Verdict = NonNullable<WalkView['verdict']>

// The demo's people live in one place; the server's time zone may be anywhere.
const timeZone = 'America/Sao_Paulo'

/**
 * Judges a signed PDF as somebody who got it from a stranger: with the roots of the demo PKI and what the certificates
 * say about revocation, and without asking the service that made it.
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
    // A document without any signature is not what was to be judged.
    indication: report.signatures.length === 0 ? 'invalid' : report.indication,
    findings: { 'pt-BR': findings('pt-BR'), 'en-US': findings('en-US') },
  }
}
