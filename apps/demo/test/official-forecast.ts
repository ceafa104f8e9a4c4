import { readFileSync } from 'node:fs'
import { icpBrasilJudge, officialForecast } from '@chancela/signature-engine/icp-brasil'
import { verify } from '@chancela/signature-engine/verify'
import { readCertificates } from '@chancela/signature-engine/x509'

/** What the official validator is going to say of a signed PDF, if the demo's roots were ICP-Brasil's, and why. */
export async function forecastOf(pdf: Uint8Array, trustAnchors: string) {
  const standIns = readCertificates(readFileSync(trustAnchors))
  const judge = await icpBrasilJudge({ roots: standIns, downloads: true })
  const report = await verify(pdf, { judge, now: new Date() })
  const { outcome, reasons } = officialForecast(pdf, report, { standIns })
  return { signatures: report.signatures.length, outcome, reasons: reasons.map(({ rule }) => rule) }
}
