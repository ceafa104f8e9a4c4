import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { beginOfDay, isDay, today } from '../../console/parts/days.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import {
  changeRoles,
  changeRootRoles,
  createApplication,
  createKey,
  deleteApplication,
  revokeKey,
  switchApplication,
} from '../api/management.ts'
import { type Application, type Key, type Role, type RootRole, roles, rootRoles } from '../api/types.ts'
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

/** Makes a key; it expires at the end of its last day in the administrator's time zone. */
export function KeyDialog({
  application: { id, name },
  onMade,
  onClose,
}: ApplicationDialogProps & { onMade: (key: string) => void }) {
  const { t } = useTranslation(['console-applications', 'core'])
  const [description, setDescription] = useState('')
  const [lastDay, setLastDay] = useState('')
  const { attempt } = useAction(
    async () => {
      const expiresOn = isDay(lastDay) ? beginOfDay(lastDay, 1) : null
      onMade((await createKey(id, { description: description.trim(), expiresOn })).key)
    },
    () => t('keyMade'),
  )
  return (
    <FormDialog
      title={t('newKeyOf', { name })}
      confirm={t('create')}
      ready={description.trim() !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t('description')}
        maxLength={200}
        required
        autoFocus
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <TextInput
        label={t('expiry')}
        description={t('expiryHint')}
        type="date"
        min={today(Date.now())}
        value={lastDay}
        onChange={({ currentTarget }) => setLastDay(currentTarget.value)}
      />
    </FormDialog>
  )
}

export function RevokeDialog({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const { t } = useTranslation('console-applications')
  const { id, applicationId, description: name } = apiKey
  const { attempt } = useAction(
    () => revokeKey(applicationId, id),
    () => t('revoked', { name }),
  )
  return (
    <ConfirmDialog
      title={t('revokeOf', { name })}
      confirm={t('revoke')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('revokeText')}
    </ConfirmDialog>
  )
}

export function DisableDialog({ application: { id, name }, onClose }: ApplicationDialogProps) {
  const { t } = useTranslation('console-applications')
  const { attempt } = useAction(
    () => switchApplication(id, true),
    () => t('wasDisabled', { name }),
  )
  return (
    <ConfirmDialog
      title={t('disableOf', { name })}
      confirm={t('disable')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('disableText')}
    </ConfirmDialog>
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
