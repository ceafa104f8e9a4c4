import { useTranslation } from 'react-i18next'
import { fill } from '../../shared/i18n/fill.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import type { Certificate } from '../api/types.ts'
import { verdictReasons } from '../texts/verdict-reasons.ts'

/** Why a certificate cannot sign; the server's own words where it could not check, or this page has none. */
export function VerdictReason({ certificate: { finding, reason } }: { certificate: Certificate }) {
  const { t } = useTranslation('sessions-certificates')
  const { language } = useLanguage()
  const whose =
    finding?.whose === 'issuer' ? t('reason.issuer', { name: finding.issuer ?? t('reason.unnamed') }) : t('reason.own')
  const known: Readonly<Record<string, string>> = verdictReasons[language]
  const text = finding && known[finding.code]
  return (
    <>
      {text && fill(text, { whose })}
      {reason && (!text || finding.code === 'not-judged') && <TechnicalDetail>{reason}</TechnicalDetail>}
    </>
  )
}
