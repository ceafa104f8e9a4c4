import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { ServiceWords } from '../../shared/parts/service-words.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import type { DeliveryDetail } from '../api/types.ts'
import { deliveryQuery, resend, type WebhookRef } from '../api/webhooks.ts'
import { DeliveryState } from './delivery-state.tsx'
import { prettyBody } from './pretty-body.ts'
import classes from './webhooks.module.css'

export interface DeliveryDialogProps {
  reference: WebhookRef
  deliveryId: string
  onClose: () => void
}

/** A delivery with its payload and every attempt. */
export function DeliveryDialog({ reference, deliveryId, onClose }: DeliveryDialogProps) {
  const { t } = useTranslation('documents-webhooks')
  const query = useQuery(deliveryQuery(reference, deliveryId))
  const [failure, setFailure] = useState<unknown>()
  const { attempt, busy } = useAction(
    () => resend(reference, [deliveryId]),
    () => t('delivery.resent'),
  )
  // A notice on the page would be hidden behind the dialog.
  const sendAgain = () => attempt(undefined).then(() => setFailure(undefined), setFailure)
  return (
    <Dialog title={query.data?.type ?? t('delivery.title')} wide onClose={onClose}>
      <Queried query={query}>{(delivery) => <Details delivery={delivery} />}</Queried>
      {failure !== undefined && <ProblemNote error={failure} />}
      <DialogButtons>
        <Button
          variant="default"
          loading={busy}
          disabled={query.data?.state === 'waiting'}
          leftSection={<RotateCw size={16} aria-hidden="true" />}
          onClick={() => void sendAgain()}
        >
          {t('delivery.resend')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

function Details({ delivery }: { delivery: DeliveryDetail }) {
  const { t } = useTranslation('documents-webhooks')
  const { dateAndTime } = useFormats()
  const { state, subject, lastStatus, lastError, nextAttempt, endDate, body } = delivery
  return (
    <>
      <Facts
        dense
        rows={[
          [t('deliveries.state'), <DeliveryState key="state" state={state} />],
          [t('delivery.subject'), <code key="subject">{subject}</code>],
          [t('delivery.status'), lastStatus],
          [
            t('delivery.error'),
            lastError && <ServiceWords key="error" text={lastError} messages={delivery.lastErrorMessages} />,
          ],
          [t('delivery.next'), nextAttempt && dateAndTime(nextAttempt)],
          [t('delivery.ended'), endDate && dateAndTime(endDate)],
        ]}
      />
      <div className={classes.payloadHead}>
        <h3 className={classes.subtitle}>{t('delivery.payload')}</h3>
        {body && <CopyButton text={body} what={t('delivery.payloadWhat')} />}
      </div>
      {body ? (
        <pre className={classes.payload}>{prettyBody(body)}</pre>
      ) : (
        <p className={classes.small}>{t('delivery.noPayload')}</p>
      )}
      <h3 className={classes.subtitle}>{t('delivery.attempts')}</h3>
      <Attempts delivery={delivery} />
    </>
  )
}

function Attempts({ delivery: { attemptLog } }: { delivery: DeliveryDetail }) {
  const { t } = useTranslation('documents-webhooks')
  const { dateAndTime, duration } = useFormats()
  if (attemptLog.length === 0) return <p className={classes.small}>{t('delivery.none')}</p>
  return (
    <ol className={classes.attempts}>
      {attemptLog.map(({ date, durationMs, status, error, errorMessages, answer }, index) => (
        <li key={date} className={classes.attempt}>
          <strong>{t('delivery.attempt', { number: index + 1 })}</strong> {dateAndTime(date)}
          <br />
          {status === null
            ? t('delivery.failedAfter', { duration: duration(durationMs) })
            : t('delivery.answered', { status, duration: duration(durationMs) })}{' '}
          {error && <ServiceWords text={error} messages={errorMessages} />}
          {answer && <pre className={classes.payload}>{answer}</pre>}
        </li>
      ))}
    </ol>
  )
}
