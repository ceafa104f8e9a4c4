import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import type { CertificateTrial, CertificateView } from '../api/types.ts'
import { HashText } from '../job/hash-text.tsx'
import classes from './profiles.module.css'

/** What the test of a key showed: whether it signs, whose certificate it is, whether it is trusted. */
export function CertificateResult({ trial }: { trial: CertificateTrial }) {
  const { t } = useTranslation('batch-profiles')
  const { certificate } = trial
  return (
    <div className={classes.result} data-good={trial.signs && certificate?.trusted}>
      <div className={classes.checks}>
        <Chip icon={trial.signs ? CircleCheck : CircleX} tone={trial.signs ? 'good' : 'bad'}>
          {t(trial.signs ? 'result.signs' : 'result.signsNot')}
        </Chip>
        {certificate && (
          <Chip
            icon={certificate.trusted ? CircleCheck : TriangleAlert}
            tone={certificate.trusted ? 'good' : 'warning'}
          >
            {t(certificate.trusted ? 'result.trusted' : 'result.trustedNot')}
          </Chip>
        )}
      </div>
      {trial.problem && <p className={classes.fieldError}>{trial.problem}</p>}
      {certificate && <CertificateFacts certificate={certificate} />}
      {certificate && certificate.reasons.length > 0 && (
        <ul className={classes.reasons}>
          {certificate.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The fields of a certificate. */
export function CertificateFacts({ certificate }: { certificate: CertificateView }) {
  const { t } = useTranslation('batch-profiles')
  const { dateAndMinute } = useFormats()
  return (
    <Facts
      rows={[
        [t('result.holder'), certificate.holder],
        [t('result.cpf'), certificate.cpf && formatTaxId(certificate.cpf)],
        [t('result.cnpj'), certificate.cnpj && formatTaxId(certificate.cnpj)],
        [t('result.kind'), certificate.kind],
        [t('result.issuer'), certificate.issuer],
        [
          t('result.validity'),
          t('result.fromTo', { from: dateAndMinute(certificate.notBefore), to: dateAndMinute(certificate.notAfter) }),
        ],
        [t('result.keyType'), certificate.keyType],
        [t('result.serial'), <code key="serial">{certificate.serialNumber}</code>],
        [
          t('result.thumbprint'),
          <HashText key="thumbprint" what={t('result.thumbprint')} value={certificate.thumbprint} />,
        ],
      ]}
    />
  )
}
