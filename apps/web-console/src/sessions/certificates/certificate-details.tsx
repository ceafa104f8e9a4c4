import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, RefreshCw, Replace, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../console/parts/may.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { recheckCertificate } from '../api/certificates.ts'
import type { Certificate } from '../api/types.ts'
import { VerdictChip } from '../parts/chips.tsx'
import { CpfText } from '../parts/cpf-text.tsx'
import classes from './certificates.module.css'
import { VerdictReason } from './verdict-reason.tsx'

export interface CertificateDetailsProps {
  certificate: Certificate
  onOpen: (kind: 'replace' | 'remove' | 'pin') => void
  onClose: () => void
}

/** All details of a certificate, why it cannot sign, and the actions for it. */
export function CertificateDetails({ certificate, onOpen, onClose }: CertificateDetailsProps) {
  const { t } = useTranslation('sessions-certificates')
  const { state, recheck } = useRecheck(certificate.id)
  const { subjectName, custody, status, reason } = certificate
  return (
    <Dialog title={subjectName} wide busy={state.busy} onClose={onClose}>
      <div className={classes.verdict} data-good={status === 'ACTIVE' || undefined} aria-live="polite">
        <p className={classes.verdictLine}>
          <VerdictChip status={status} /> {t(`verdictText.${status}`)}
        </p>
        {reason && (
          <div className={classes.reason}>
            {t('details.reason')}: <VerdictReason certificate={certificate} />
          </div>
        )}
        {state.done && <p className={classes.reason}>{t('rechecked')}</p>}
      </div>
      {state.failure !== undefined && <ProblemNote error={state.failure} />}
      <CertificateFacts certificate={certificate} />
      <DialogButtons>
        {custody === 'vault' && (
          <May right="certificates.manage">
            <Button
              variant="default"
              disabled={state.busy}
              leftSection={<Trash2 size={16} aria-hidden="true" />}
              onClick={() => onOpen('remove')}
            >
              {t('remove')}
            </Button>
            <Button
              variant="default"
              disabled={state.busy}
              leftSection={<Replace size={16} aria-hidden="true" />}
              onClick={() => onOpen('replace')}
            >
              {t('replace')}
            </Button>
          </May>
        )}
        {custody === 'token' && (
          <May right="certificates.manage">
            <Button
              variant="default"
              disabled={state.busy}
              leftSection={<KeyRound size={16} aria-hidden="true" />}
              onClick={() => onOpen('pin')}
            >
              {t(certificate.pin === 'token' ? 'provePin' : 'setPin')}
            </Button>
          </May>
        )}
        <May right="certificates.recheck">
          <Button
            loading={state.busy}
            leftSection={<RefreshCw size={16} aria-hidden="true" />}
            onClick={() => void recheck()}
          >
            {t('recheck')}
          </Button>
        </May>
      </DialogButtons>
    </Dialog>
  )
}

function CertificateFacts({ certificate }: { certificate: Certificate }) {
  const { t } = useTranslation(['sessions-certificates', 'sessions'])
  const { date, dateAndTime } = useFormats()
  const { cpf, subjectCpf, custody, workstation, token, checkedAt } = certificate
  return (
    <Facts
      rows={[
        [t('details.cpf'), <CpfText key="cpf" cpf={cpf} />],
        [
          t('details.subjectCpf'),
          subjectCpf !== cpf && subjectCpf !== null ? <OtherCpf key="subject" cpf={subjectCpf} /> : null,
        ],
        [t('details.email'), certificate.email ?? t('details.noEmail')],
        [
          t('details.validity'),
          t('details.fromTo', { from: date(certificate.notBefore), to: date(certificate.notAfter) }),
        ],
        [
          t('details.where'),
          [t(`sessions:custody.${custody}`), workstation?.name ?? token].filter(Boolean).join(' · '),
        ],
        [t('details.pin'), certificate.pin && t(`pinText.${certificate.pin}`)],
        [t('details.checked'), checkedAt ? dateAndTime(checkedAt) : t('notYet')],
        [t('details.added'), dateAndTime(certificate.createdAt)],
        [t('details.issuer'), certificate.issuer],
        [t('details.serialNumber'), <code key="serial">{certificate.serialNumber}</code>],
        [t('details.fingerprint'), <code key="fingerprint">{certificate.fingerprint}</code>],
      ]}
    />
  )
}

function OtherCpf({ cpf }: { cpf: string }) {
  const { t } = useTranslation('sessions-certificates')
  return (
    <>
      <CpfText cpf={cpf} /> ({t('details.otherCpf')})
    </>
  )
}

/** Validates the certificate now; the result is shown in the dialog, because the page behind it is inert. */
function useRecheck(id: string) {
  const queries = useQueryClient()
  const [state, setState] = useState<{ busy: boolean; done?: boolean; failure?: unknown }>({ busy: false })

  async function recheck() {
    setState({ busy: true })
    try {
      await recheckCertificate(id)
      await queries.invalidateQueries()
      setState({ busy: false, done: true })
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return { state, recheck }
}
