import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Mail, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Paging } from '../../shared/parts/paging.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { saveUser, USERS_PER_PAGE, usersQuery } from '../api/organization.ts'
import type { OrganizationUser } from '../api/types.ts'
import classes from './organization.module.css'
import { RemoveUserDialog, UserDialog } from './user-dialogs.tsx'
import { userRoles } from './user-roles.ts'

type Open = { kind: 'add' } | { kind: 'edit' | 'remove'; user: OrganizationUser }

export interface UsersPanelProps {
  editable: boolean
  /** Whether the instance sends e-mail, and with it invitations. */
  invites: boolean
}

/** Who may act for the organization. */
export function UsersPanel({ editable, invites }: UsersPanelProps) {
  const { t } = useTranslation('documents-organization')
  const [offset, setOffset] = useState(0)
  const [open, setOpen] = useState<Open>()
  const query = useQuery(usersQuery(offset))
  const close = () => setOpen(undefined)
  return (
    <Panel
      title={t('users.title')}
      lead={editable && t(invites ? 'users.lead' : 'users.leadWithoutMail')}
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
            <UsersTable
              users={items.slice(0, USERS_PER_PAGE)}
              invites={invites}
              onOpen={editable ? setOpen : undefined}
            />
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
      {open?.kind === 'add' && <UserDialog invites={invites} onClose={close} />}
      {open?.kind === 'edit' && <UserDialog user={open.user} invites={invites} onClose={close} />}
      {open?.kind === 'remove' && <RemoveUserDialog user={open.user} onClose={close} />}
    </Panel>
  )
}

interface UsersTableProps {
  users: readonly OrganizationUser[]
  invites: boolean
  /** Absent when the list is read-only. */
  onOpen: ((open: Open) => void) | undefined
}

function UsersTable({ users, invites, onOpen }: UsersTableProps) {
  const { t } = useTranslation('documents-organization')
  const actions = { key: 'actions', title: t('users.actions'), quiet: true }
  const columns: readonly Column<OrganizationUser>[] = [
    { key: 'name', title: t('users.columns.name'), isHeader: true, cell: ({ name }) => name },
    { key: 'email', title: t('users.columns.email'), cell: ({ email }) => email ?? '–' },
    {
      key: 'roles',
      title: t('users.columns.roles'),
      cell: ({ accessProfile }) =>
        userRoles
          .filter((role) => accessProfile[role])
          .map((role) => t(`users.roles.${role}`))
          .join(', ') || t('users.none'),
    },
    { key: 'state', title: t('users.columns.state'), cell: (user) => <UserState user={user} /> },
    ...(onOpen
      ? [{ ...actions, cell: (user: OrganizationUser) => <RowButtons user={user} invites={invites} onOpen={onOpen} /> }]
      : []),
  ]
  return <DataTable caption={t('users.caption')} columns={columns} rows={users} rowKey={({ id }) => id} />
}

/** Whether somebody signs in as this user yet. */
function UserState({ user: { hasAccount } }: { user: OrganizationUser }) {
  const { t } = useTranslation('documents-organization')
  return (
    <Chip icon={hasAccount ? CircleCheck : Mail} tone={hasAccount ? 'good' : 'warning'}>
      {t(hasAccount ? 'users.state.active' : 'users.state.invited')}
    </Chip>
  )
}

interface RowButtonsProps {
  user: OrganizationUser
  invites: boolean
  onOpen: (open: Open) => void
}

function RowButtons({ user, invites, onOpen }: RowButtonsProps) {
  const { t } = useTranslation('documents-organization')
  const { name, email } = user
  return (
    <span className={classes.rowButtons}>
      {invites && !user.hasAccount && email && <InviteButton user={{ ...user, email }} />}
      {/* The service saves no user without an address. */}
      {email && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('users.changeOf', { name })}
          onClick={() => onOpen({ kind: 'edit', user })}
        >
          {t('users.change')}
        </Button>
      )}
      <Button
        variant="subtle"
        size="xs"
        aria-label={t('users.removeOf', { name })}
        onClick={() => onOpen({ kind: 'remove', user })}
      >
        {t('users.remove')}
      </Button>
    </span>
  )
}

/** Sends the invitation again: the service sends one each time the data of an invited user are saved. */
function InviteButton({ user }: { user: OrganizationUser & { email: string } }) {
  const { t } = useTranslation('documents-organization')
  const { id, name, email, accessProfile } = user
  const { run, busy } = useAction(
    () => saveUser({ id, name, email, accessProfile }),
    () => t('users.invitedNow', { name, email }),
  )
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      aria-label={t('users.inviteAgainOf', { name })}
      onClick={() => void run(undefined)}
    >
      {t('users.inviteAgain')}
    </Button>
  )
}
