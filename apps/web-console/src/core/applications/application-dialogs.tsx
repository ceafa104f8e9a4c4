import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeRoles, changeRootRoles, createApplication, deleteApplication } from '../api/management.ts'
import { type Application, type Role, type RootRole, roles, rootRoles } from '../api/types.ts'
import { RoleFields } from '../parts/role-fields.tsx'
import { SubscriptionSelect } from '../parts/subscription-select.tsx'

/** Makes an application and goes to its page, where its first key is made. */
export function NewApplicationDialog({ subscriptionId, onClose }: { subscriptionId: string; onClose: () => void }) {
  const { t } = useTranslation(['core-applications', 'core'])
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [place, setPlace] = useState(subscriptionId)
  const [chosen, setChosen] = useState<readonly Role[]>(['Worker'])
  const [atRoot, setAtRoot] = useState<readonly RootRole[]>([])
  const { attempt } = useAction(
    async () => {
      const made = await createApplication({
        name: name.trim(),
        subscriptionId: place,
        roles: [...chosen],
        rootRoles: [...atRoot],
      })
      await navigate({ to: '/applications/$id', params: { id: made.id } })
      return made
    },
    (made) => t('created', { name: made.name }),
  )
  return (
    <FormDialog
      title={t('add')}
      confirm={t('core:create')}
      ready={name.trim() !== '' && place !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t('core:name')}
        maxLength={100}
        required
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <SubscriptionSelect value={place} onChange={setPlace} />
      <RoleFields label={t('rolesThere')} all={roles} chosen={chosen} onChange={setChosen} />
      <RoleFields label={t('rolesInInstance')} all={rootRoles} chosen={atRoot} onChange={setAtRoot} />
    </FormDialog>
  )
}

interface ApplicationDialogProps {
  application: Application
  onClose: () => void
}

/** Other roles in one subscription: one where it has some, or another. */
export function RolesDialog({
  application: { id, name, subscriptions },
  subscriptionId,
  onClose,
}: ApplicationDialogProps & { subscriptionId?: string }) {
  const { t } = useTranslation(['core-applications', 'core'])
  const [place, setPlace] = useState(subscriptionId ?? '')
  const held = (where: string): readonly Role[] =>
    subscriptions.find((one) => one.subscriptionId === where)?.roles ?? []
  const [chosen, setChosen] = useState(held(place))
  const { attempt } = useAction(
    () => changeRoles(id, place, chosen),
    () => t('rolesChanged', { name }),
  )
  return (
    <FormDialog
      title={t('rolesOf', { name })}
      confirm={t('core:save')}
      ready={place !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      {subscriptionId === undefined && (
        <SubscriptionSelect
          value={place}
          onChange={(next) => {
            setPlace(next)
            setChosen(held(next))
          }}
        />
      )}
      <RoleFields label={t('rolesThere')} all={roles} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}

export function RootRolesDialog({ application: { id, name, rootRoles: held }, onClose }: ApplicationDialogProps) {
  const { t } = useTranslation(['core-applications', 'core'])
  const [chosen, setChosen] = useState<readonly RootRole[]>(held)
  const { attempt } = useAction(
    () => changeRootRoles(id, chosen),
    () => t('rolesChanged', { name }),
  )
  return (
    <FormDialog
      title={t('rootRolesOf', { name })}
      confirm={t('core:save')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <RoleFields label={t('rolesInInstance')} all={rootRoles} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}

export function DeleteDialog({ application: { id, name }, onClose }: ApplicationDialogProps) {
  const { t } = useTranslation(['core-applications', 'core'])
  const navigate = useNavigate()
  const { attempt } = useAction(
    async () => {
      await deleteApplication(id)
      await navigate({ to: '/applications', search: {} })
    },
    () => t('deleted', { name }),
  )
  return (
    <ConfirmDialog
      title={t('deleteOf', { name })}
      confirm={t('core:delete')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('deleteText')}
    </ConfirmDialog>
  )
}
