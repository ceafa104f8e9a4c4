import { BadgeCheck, TriangleAlert } from 'lucide-react'
import { formatTaxId } from '../format/format-brazilian.ts'
import { fill } from '../i18n/fill.ts'
import { Facts } from '../parts/facts.tsx'
import type { KeyCertificate } from './key/open-key.ts'
import classes from './signing.module.css'
import { useSigningTexts, useTimes } from './signing-page.ts'

export interface CertificateCardProps {
  certificate: KeyCertificate
  /** CPF of the participant, where it is known. */
  expected: string | null
}

/** Shows the holder of the opened certificate, before it signs. */
export function CertificateCard({ certificate, expected }: CertificateCardProps) {
  const { file } = useSigningTexts()
  const { date } = useTimes()
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
          [file.holder, name],
          [isPerson ? file.cpf : file.cnpj, identifier && formatTaxId(identifier)],
          [file.issuer, issuer],
          [file.validity, fill(file.validityRange, { from: date(notBefore), to: date(notAfter) })],
        ]}
      />
      {isExpired && <Warning text={file.expired} />}
      {isOther && <Warning text={fill(file.otherCpf, { cpf: formatTaxId(digits(expected)) })} />}
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
