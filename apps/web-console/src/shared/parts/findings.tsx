import { type Finding, useFindings } from '../bundle.ts'
import { TechnicalDetail } from './technical-detail.tsx'

/** What the service found, in the visitor's language; its own English words where this page has none for them. */
export function Findings({ findings, otherwise }: { findings: readonly Finding[]; otherwise: string }) {
  const told = useFindings()(findings)
  return told === undefined ? <TechnicalDetail>{otherwise}</TechnicalDetail> : told
}
