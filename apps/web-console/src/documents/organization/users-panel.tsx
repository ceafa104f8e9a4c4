import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { Paging } from '../../shared/parts/paging.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { addUser, removeUser, USERS_PER_PAGE, usersQuery } from '../api/organization.ts'
import type { OrganizationUser } from '../api/types.ts'
import classes from './organization.module.css'

const roles = ['administrator', 'manager', 'operator'] as const

type Open = { kind: 'add' } | { kind: 'edit' | 'remove'; user: OrganizationUser }

/** Who may act for the organization. */
export function UsersPanel({ editable }: { editable: boolean }) {
  const { t } = useTranslation('documents-organization')
  const [offset, setOffset] = useState(0)
  const [open, setOpen] = useState<Open>()
  const query = useQuery(usersQuery(offset))
  const close = () => setOpen(undefined)
  return (
    <Panel
      title={t('users.title')}
      actions={
        editable && (
          <Button
            size="xs"
            leftSection={<UserPlus size={14} aria-hidden="true" />}
            onClick={() => setOpen({ kind: 'add' })}
          >
            {t('users.add')}
          </Button>
        )
      }
    >
      <Queried query={query}>
        {({ items }) => (
          <>
            <UsersTable users={items.slice(0, USERS_PER_PAGE)} onOpen={editable ? setOpen : undefined} />
            {(offset > 0 || items.length > USERS_PER_PAGE) && (
              <Paging
                onPrevious={offset > 0 ? () => setOffset(offset - USERS_PER_PAGE) : undefined}
                onNext={items.length > USERS_PER_PAGE ? () => setOffset(offset + USERS_PER_PAGE) : undefined}
              >
                {`${offset + 1}–${offset + Math.min(items.length, USERS_PER_PAGE)}`}
              </Paging>
            )}
          </>
        )}
      </Queried>
      {open?.kind === 'add' && <UserDialog onClose={close} />}
      {open?.kind === 'edit' && <UserDialog user={open.user} onClose={close} />}
      {open?.kind === 'remove' && <RemoveDialog user={open.user} onClose={close} />}
    </Panel>
  )
}

interface UsersTableProps {
  users: readonly OrganizationUser[]
  /** Absent when the list is read-only. */
  onOpen: ((open: Open) => void) | undefined
}

function UsersTable({ users, onOpen }: UsersTableProps) {
  const { t } = useTranslation('documents-organization')
  const actions = { key: 'actions', title: t('users.actions'), quiet: true }
  const columns: readonly Column<OrganizationUser>[] = [
    { key: 'name', title: t('users.columns.name'), isHeader: true, cell: ({ name }) => name },
    { key: 'email', title: t('users.columns.email'), cell: ({ email }) => email ?? '–' },
    {
      key: 'roles',
      title: t('users.columns.roles'),
      cell: ({ accessProfile }) =>
        roles
          .filter((role) => accessProfile[role])
          .map((role) => t(`users.roles.${role}`))
          .join(', ') || t('users.none'),
    },
    ...(onOpen ? [{ ...actions, cell: (user: OrganizationUser) => <RowButtons user={user} onOpen={onOpen} /> }] : []),
  ]
  return <DataTable caption={t('users.caption')} columns={columns} rows={users} rowKey={({ id }) => id} />
}

function RowButtons({ user, onOpen }: { user: OrganizationUser; onOpen: (open: Open) => void }) {
  const { t } = useTranslation('documents-organization')
  return (
    <span className={classes.rowButtons}>
      {/* Roles are given by address. */}
      {user.email && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('users.changeOf', { name: user.name })}
          onClick={() => onOpen({ kind: 'edit', user })}
        >
          {t('users.change')}
        </Button>
      )}
      <Button
        variant="subtle"
        size="xs"
        aria-label={t('users.removeOf', { name: user.name })}
        onClick={() => onOpen({ kind: 'remove', user })}
      >
        {t('users.remove')}
      </Button>
    </span>
  )
}

/** Adds a user, or changes only the roles of one. */
function UserDialog({ user, onClose }: { user?: OrganizationUser; onClose: () => void }) {
  const { t } = useTranslation('documents-organization')
  const [draft, setDraft] = useState({
    name: user?.name ?? '',
    email: user?.email ?? '',
    identifier: user?.identifier ?? '',
    password: '',
  })
  const [profile, setProfile] = useState(
    user?.accessProfile ?? { administrator: false, manager: false, operator: true },
  )
  const { attempt } = useAction(
    () =>
      addUser({
        name: draft.name.trim(),
        email: draft.email.trim(),
        accessProfile: profile,
        ...(draft.identifier.trim() && { identifier: draft.identifier.trim() }),
        ...(draft.password && { password: draft.password }),
      }),
    ({ name }) => t(user ? 'users.changed' : 'users.added', { name }),
  )
  const field = (name: keyof typeof draft) => ({
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setDraft({ ...draft, [name]: currentTarget.value }),
  })
  return (
    <FormDialog
      title={user ? t('users.editTitle', { name: user.name }) : t('users.addTitle')}
      confirm={t('users.save')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      {!user && (
        <>
          <TextInput label={t('users.name')} maxLength={200} required autoFocus {...field('name')} />
          <TextInput label={t('users.email')} type="email" maxLength={254} required {...field('email')} />
          <TextInput label={t('users.cpf')} maxLength={20} inputMode="numeric" {...field('identifier')} />
          <PasswordInput
            label={t('users.password')}
            description={t('users.passwordHint')}
            autoComplete="new-password"
            minLength={10}
            maxLength={200}
            visibilityToggleButtonProps={{ 'aria-label': t('users.showPassword') }}
            {...field('password')}
          />
        </>
      )}
      {roles.map((role) => (
        <Checkbox
          key={role}
          label={t(`users.roles.${role}`)}
          description={t(`users.roleHints.${role}`)}
          checked={profile[role]}
          onChange={({ currentTarget }) => setProfile({ ...profile, [role]: currentTarget.checked })}
        />
      ))}
    </FormDialog>
  )
}

function RemoveDialog({ user, onClose }: { user: OrganizationUser; onClose: () => void }) {
  const { t } = useTranslation('documents-organization')
  const { name } = user
  const { attempt } = useAction(
    () => removeUser(user.id),
    () => t('users.removed', { name }),
  )
  return (
    <ConfirmDialog
      title={t('users.removeTitle', { name })}
      confirm={t('users.remove')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('users.removeText')}
    </ConfirmDialog>
  )
}
