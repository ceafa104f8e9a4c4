import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Mail, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'
import { Paging } from '../../shared/parts/paging.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { listQuery } from '../api/lists.ts'
import { inviteAgain } from '../api/organization.ts'
import type { InvitedUser, User } from '../api/types.ts'
import classes from '../parts/parts.module.css'
import { useRights } from '../parts/rights.ts'
import { RemoveUserDialog, UserDialog } from './user-dialogs.tsx'

type Open = { kind: 'add' } | { kind: 'edit' | 'remove'; user: User }

const PER_PAGE = 20

/** Who may act for the organization. */
export function UsersPanel() {
  const { t } = useTranslation('credentials-organization')
  const { may } = useRights()
  const editable = may('users.manage')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<Open>()
  const [invited, setInvited] = useState<InvitedUser>()
  const close = () => setOpen(undefined)
  const query = useQuery(listQuery<User>('users', { page, pageSize: PER_PAGE }))
  return (
    <Panel
      title={t('users.title')}
      lead={editable && t('users.lead')}
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
        {({ items, totalCount }) => (
          <>
            <UsersTable users={items} {...(editable && { onOpen: setOpen, onInvited: setInvited })} />
            {(page > 1 || (totalCount ?? 0) > PER_PAGE) && (
              <Paging
                onPrevious={page > 1 ? () => setPage(page - 1) : undefined}
                onNext={page * PER_PAGE < (totalCount ?? 0) ? () => setPage(page + 1) : undefined}
              >
                {`${(page - 1) * PER_PAGE + 1}–${(page - 1) * PER_PAGE + items.length}`}
              </Paging>
            )}
          </>
        )}
      </Queried>
      {open?.kind === 'add' && <UserDialog onInvited={setInvited} onClose={close} />}
      {open?.kind === 'edit' && <UserDialog user={open.user} onClose={close} />}
      {open?.kind === 'remove' && <RemoveUserDialog user={open.user} onClose={close} />}
      {invited?.invitationUrl && <LinkDialog user={invited} onClose={() => setInvited(undefined)} />}
    </Panel>
  )
}

/** Where the service sends no e-mail, whoever invites hands the link over. */
function LinkDialog({ user, onClose }: { user: InvitedUser; onClose: () => void }) {
  const { t } = useTranslation('credentials-organization')
  return (
    <OnceDialog
      title={t('users.linkTitle', { name: user.name })}
      text={t('users.linkText', { email: user.email })}
      value={user.invitationUrl ?? ''}
      what={t('users.link')}
      taken={t('users.linkTaken')}
      onClose={onClose}
    />
  )
}

interface UsersTableProps {
  users: readonly User[]
  /** Both absent when the list is read-only. */
  onOpen?: (open: Open) => void
  onInvited?: (user: InvitedUser) => void
}

function UsersTable({ users, onOpen, onInvited }: UsersTableProps) {
  const { t } = useTranslation(['credentials-organization', 'credentials'])
  const columns: readonly Column<User>[] = [
    { key: 'name', title: t('users.name'), isHeader: true, cell: ({ name }) => name },
    { key: 'email', title: t('users.email'), cell: ({ email }) => email },
    { key: 'role', title: t('users.role'), cell: ({ role }) => t(`credentials:role.${role}`) },
    {
      key: 'state',
      title: t('users.state'),
      cell: ({ accepted }) => (
        <Chip icon={accepted ? CircleCheck : Mail} tone={accepted ? 'good' : 'warning'}>
          {t(accepted ? 'users.active' : 'users.invited')}
        </Chip>
      ),
    },
    ...(onOpen && onInvited
      ? [
          {
            key: 'actions',
            title: t('credentials:actions'),
            quiet: true,
            cell: (user: User) => <RowButtons user={user} onOpen={onOpen} onInvited={onInvited} />,
          },
        ]
      : []),
  ]
  return <DataTable caption={t('users.title')} columns={columns} rows={users} rowKey={({ id }) => id} />
}

function RowButtons({ user, onOpen, onInvited }: { user: User } & Required<Omit<UsersTableProps, 'users'>>) {
  const { t } = useTranslation(['credentials-organization', 'credentials'])
  const { name } = user
  return (
    <span className={classes.rowButtons}>
      {!user.accepted && <InviteButton user={user} onInvited={onInvited} />}
      <Button
        variant="default"
        size="xs"
        aria-label={t('users.changeOf', { name })}
        onClick={() => onOpen({ kind: 'edit', user })}
      >
        {t('credentials:change')}
      </Button>
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

function InviteButton({ user, onInvited }: { user: User; onInvited: (user: InvitedUser) => void }) {
  const { t } = useTranslation('credentials-organization')
  const { name } = user
  const { run, busy } = useAction(inviteAgain, ({ email, invitationMailed }) =>
    invitationMailed ? t('users.mailed', { email }) : t('users.invitedAgain', { name }),
  )
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      aria-label={t('users.inviteAgainOf', { name })}
      onClick={() => void run(user.id).then((invited) => invited && onInvited(invited))}
    >
      {t('users.inviteAgain')}
    </Button>
  )
}
