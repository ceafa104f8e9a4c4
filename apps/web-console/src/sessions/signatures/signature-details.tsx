import { useTranslation } from 'react-i18next'
import { useCodeText } from '../../shared/bundle.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import type { LoggedSignature } from '../api/types.ts'
import { SignatureChip } from '../parts/chips.tsx'
import { CpfText } from '../parts/cpf-text.tsx'
import classes from './signatures.module.css'
import { SignatureId } from './signatures-table.tsx'

/** All details of a signature in the log. */
export function SignatureDetails({ signature, onClose }: { signature: LoggedSignature; onClose: () => void }) {
  const { t } = useTranslation(['sessions-activity', 'sessions'])
  const { explain } = useCodeText()
  const { bytes, dateAndTime } = useFormats()
  const { state, code, detail } = signature
  return (
    <Dialog title={t('signatures.details.title', { name: signature.fileName })} wide onClose={onClose}>
      <p className={classes.state}>
        <SignatureChip state={state} /> {t(`signatures.stateText.${state}`)}
      </p>
      <Facts
        rows={[
          [
            t('signatures.details.code'),
            code && (
              <>
                {explain(code)} <code>{code}</code>
              </>
            ),
          ],
          [t('signatures.details.detail'), detail && <TechnicalDetail key="detail">{detail}</TechnicalDetail>],
          [t('signatures.columns.signatureId'), <SignatureId key="id" signatureId={signature.signatureId} />],
          [t('signatures.columns.holder'), <CpfText key="cpf" cpf={signature.cpf} />],
          [t('signatures.details.custody'), t(`sessions:custody.${signature.custody}`)],
          [t('signatures.columns.application'), signature.application],
          [t('signatures.columns.started'), dateAndTime(signature.startedAt)],
          [t('signatures.details.ended'), <Ended key="ended" signature={signature} />],
          [t('signatures.details.bytes'), bytes(signature.bytes)],
          [t('signatures.details.batch'), signature.batchId && <code>{signature.batchId}</code>],
          [t('signatures.details.sha256'), <code key="sha256">{signature.sha256}</code>],
          [t('signatures.details.correlationId'), <code key="request">{signature.correlationId}</code>],
        ]}
      />
    </Dialog>
  )
}

function Ended({ signature: { startedAt, endedAt } }: { signature: LoggedSignature }) {
  const { t } = useTranslation('sessions-activity')
  const { dateAndTime, duration } = useFormats()
  if (endedAt === null) return '–'
  const took = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))
  return t('signatures.details.took', { time: dateAndTime(endedAt), duration: duration(took) })
}
