import { CircleCheck, CircleHelp, CircleX, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import type { SignerInfo } from '../api/types.ts'
import { Checks } from './checks.tsx'
import classes from './validate.module.css'
import { kindOf, type Verdict, verdictOf } from './verdicts.ts'

const looks: Readonly<Record<Verdict, { icon: LucideIcon; tone: Tone }>> = {
  valid: { icon: CircleCheck, tone: 'good' },
  invalid: { icon: CircleX, tone: 'bad' },
  undetermined: { icon: CircleHelp, tone: 'warning' },
}

/** One signature: the signer, the time, whether it is valid, and why. */
export function SignerCard({ signer }: { signer: SignerInfo }) {
  const { t } = useTranslation('documents-validate')
  const { dateAndTime } = useFormats()
  const verdict = verdictOf(signer)
  return (
    <li className={classes.signer}>
      <div className={classes.signerHead}>
        <h3 className={classes.signerName}>{signer.subjectName ?? t('unnamed')}</h3>
        <Chip {...looks[verdict]}>{t(`verdict.${verdict}`)}</Chip>
      </div>
      {signer.signingTime && <p>{t('signedAt', { date: dateAndTime(signer.signingTime) })}</p>}
      <SignerFacts signer={signer} />
      {signer.validationResults && <Checks results={signer.validationResults} isOpen={verdict !== 'valid'} />}
    </li>
  )
}

function SignerFacts({ signer }: { signer: SignerInfo }) {
  const { t } = useTranslation('documents-validate')
  const { dateAndTime, date } = useFormats()
  const { validityStart, validityEnd, companyName, companyIdentifier } = signer
  const company = [companyName, companyIdentifier && formatTaxId(companyIdentifier)]
  const stamps = [...signer.signatureTimestamps, ...signer.archiveTimestamps]
  return (
    <Facts
      rows={[
        [t('kind'), t(`kinds.${kindOf(signer)}`)],
        [t('cpf'), signer.identifier && formatTaxId(signer.identifier)],
        [t('company'), company.filter(Boolean).join(', ')],
        [t('issuer'), signer.issuerName],
        [
          t('validity'),
          validityStart && validityEnd && t('validityRange', { from: date(validityStart), to: date(validityEnd) }),
        ],
        [
          t('timestamps'),
          stamps
            .map(({ genTime, authority }) => [dateAndTime(genTime), authority].filter(Boolean).join(', '))
            .join('; '),
        ],
      ]}
    />
  )
}
