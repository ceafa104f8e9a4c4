import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { deleteItem } from '../api/lists.ts'
import { proposePartnership } from '../api/partnerships.ts'
import type { Partnership } from '../api/types.ts'
import { InstituteSelect } from '../parts/institute-select.tsx'

type Side = 'issuer' | 'registrar'

/** An own institution on one side, and another by the id that its organization gave on the other. */
export function ProposeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('credentials-partnerships')
  const [side, setSide] = useState<Side>('issuer')
  const [own, setOwn] = useState('')
  const [other, setOther] = useState('')
  const [issuerInstituteId, registrarInstituteId] = side === 'issuer' ? [own, other.trim()] : [other.trim(), own]
  const { attempt } = useAction(proposePartnership, ({ status }) => t(status === 'Active' ? 'agreed' : 'proposed'))
  return (
    <FormDialog
      title={t('propose')}
      confirm={t('send')}
      ready={own !== '' && other.trim() !== ''}
      onSubmit={() => attempt({ issuerInstituteId, registrarInstituteId })}
      onClose={onClose}
    >
      <NativeSelect
        label={t('side')}
        data={(['issuer', 'registrar'] as const).map((value) => ({ value, label: t(`sides.${value}`) }))}
        value={side}
        onChange={({ currentTarget }) => {
          setSide(currentTarget.value as Side)
          setOwn('')
        }}
      />
      <InstituteSelect
        label={t('ownInstitute')}
        none={t('choose')}
        required
        offered={({ kind }) => kind !== (side === 'issuer' ? 'Registrar' : 'Issuer')}
        value={own}
        onChange={({ currentTarget }) => setOwn(currentTarget.value)}
      />
      <TextInput
        label={t('otherInstitute')}
        description={t('otherHint')}
        maxLength={64}
        required
        autoComplete="off"
        spellCheck={false}
        value={other}
        onChange={({ currentTarget }) => setOther(currentTarget.value)}
      />
    </FormDialog>
  )
}

export function EndDialog({ partnership, onClose }: { partnership: Partnership; onClose: () => void }) {
  const { t } = useTranslation('credentials-partnerships')
  const { id, issuer, registrar } = partnership
  const { attempt } = useAction(
    () => deleteItem('partnerships', id),
    () => t('ended'),
  )
  return (
    <ConfirmDialog
      title={t('endOf', { issuer: issuer.name, registrar: registrar.name })}
      confirm={t('end')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('endText')}
    </ConfirmDialog>
  )
}
