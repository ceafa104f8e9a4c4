import { BadgeCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../format/format-brazilian.ts'
import { useFormats } from '../format/use-formats.ts'
import { Facts } from '../parts/facts.tsx'
import type { KeyCertificate } from './key/open-key.ts'
import classes from './signing.module.css'

export interface CertificateCardProps {
  certificate: KeyCertificate
  /** CPF of the participant, where it is known. */
  expected: string | null
}

/** Shows the holder of the opened certificate, before it signs. */
export function CertificateCard({ certificate, expected }: CertificateCardProps) {
  const { t } = useTranslation('signing')
  const { date } = useFormats()
  const { name, identifier, issuer, notBefore, notAfter } = certificate
  const isPerson = identifier?.length === 11
  const isExpired = new Date(notAfter).getTime() < Date.now()
  const isOther = isPerson && expected !== null && expected !== '' && digits(expected) !== identifier
  return (
    <div className={classes.certificate}>
      <BadgeCheck size={22} aria-hidden="true" />
      <Facts
        dense
        rows={[
          [t('file.holder'), name],
          [t(isPerson ? 'file.cpf' : 'file.cnpj'), identifier && formatTaxId(identifier)],
          [t('file.issuer'), issuer],
          [t('file.validity'), t('file.validityRange', { from: date(notBefore), to: date(notAfter) })],
        ]}
      />
      {isExpired && <Warning text={t('file.expired')} />}
      {isOther && <Warning text={t('file.otherCpf', { cpf: formatTaxId(digits(expected)) })} />}
    </div>
  )
}

const digits = (text: string) => text.replaceAll(/\D/g, '')

function Warning({ text }: { text: string }) {
  return (
    <p className={classes.warning}>
      <TriangleAlert size={16} aria-hidden="true" /> {text}
    </p>
  )
}
