import { Button, NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { act } from '../api/items.ts'
import { cancellationReasons, type Item } from '../api/types.ts'
import { useRights } from '../parts/rights.ts'
import { type ItemAct, type ItemResource, itemKinds } from './item-kinds.ts'

interface ActProps {
  resource: ItemResource
  item: Item
}

/** What may be done with a document in its state, by whoever looks. */
export function ActButtons({ resource, item }: ActProps) {
  const { t } = useTranslation('credentials-items')
  const { may } = useRights()
  const [open, setOpen] = useState<ItemAct>()
  const possible = itemKinds[resource].acts
    .filter(({ from }) => from.includes(item.status))
    .filter(({ needs }) => needs === undefined || may(needs))
  return (
    <>
      {possible.map((one) => (
        <Button key={one.name} variant={one.danger ? 'default' : 'filled'} onClick={() => setOpen(one)}>
          {t(`act.${one.name}`)}
        </Button>
      ))}
      {open && <ActDialog resource={resource} item={item} asked={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function ActDialog({ resource, item, asked, onClose }: ActProps & { asked: ItemAct; onClose: () => void }) {
  const { t } = useTranslation('credentials-items')
  const [reason, setReason] = useState('')
  const [cancellationReason, setCancellationReason] = useState<string>(cancellationReasons[0])
  const isAnnulled = asked.asks === 'cancellationReason'
  const body = asked.asks && { reason: reason.trim(), ...asked.body, ...(isAnnulled && { cancellationReason }) }
  const { attempt } = useAction(
    () => act(resource, item.id, asked.path, body),
    // Where two people are asked for, the first one only proposes it.
    ({ status }) => t(status === item.status ? 'proposed' : 'done', { state: t(`status.${status}`) }),
  )
  return (
    <FormDialog
      title={t(`act.${asked.name}`)}
      confirm={t(`act.${asked.name}`)}
      danger={asked.danger ?? false}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <p>{t(`actText.${asked.name}`)}</p>
      {isAnnulled && (
        <NativeSelect
          label={t('annulledFor')}
          data={cancellationReasons.map((value) => ({ value, label: t(`reasons.${value}`) }))}
          value={cancellationReason}
          onChange={({ currentTarget }) => setCancellationReason(currentTarget.value)}
        />
      )}
      {asked.asks && (
        <Textarea
          label={t('reason')}
          description={t('reasonHint')}
          maxLength={2000}
          rows={3}
          required
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}
