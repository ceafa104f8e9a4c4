// What an institution has besides its data: the certificate that signs for it, rules, lists and inspection files.
import { Button, NativeSelect, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../shared/api/request.ts'
import { formatDay } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { FileField } from '../../shared/parts/file-field.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { fileAsBase64 } from '../../shared/upload/file-as-base64.ts'
import {
  certificateQuery,
  forgetCertificate,
  makeInspectionFile,
  makeList,
  putRegistrySettings,
  registrySettingsQuery,
  storeCertificate,
} from '../api/institutes.ts'
import { save } from '../api/items.ts'
import { addressOf, listQuery } from '../api/lists.ts'
import type { CancellationList, InspectionFile, RegistrySettings } from '../api/types.ts'
import classes from '../parts/parts.module.css'
import { useRights } from '../parts/rights.ts'

/** The certificate that signs for the institution by itself; its key never leaves the service. */
export function CertificatePanel({ id }: { id: string }) {
  const { t } = useTranslation('credentials-institutes')
  const { date } = useFormats()
  const manages = useRights().may('institutes.manage')
  const query = useQuery(certificateQuery(id))
  const [open, setOpen] = useState<'store' | 'forget'>()
  const isAbsent = refusalCode(query.error) === 'certificate-not-found'
  const close = () => setOpen(undefined)
  return (
    <Panel
      title={t('certificate.title')}
      lead={t('certificate.lead')}
      actions={
        manages && (
          <>
            <Button variant="default" size="xs" onClick={() => setOpen('store')}>
              {t('certificate.store')}
            </Button>
            {query.data && !isAbsent && (
              <Button variant="subtle" size="xs" onClick={() => setOpen('forget')}>
                {t('certificate.forget')}
              </Button>
            )}
          </>
        )
      }
    >
      {isAbsent ? (
        <p className={classes.quiet}>{t('certificate.none')}</p>
      ) : (
        <Queried query={query} lines={2}>
          {({ subject, issuer, notAfter }) => (
            <Facts
              rows={[
                [t('certificate.subject'), subject],
                [t('certificate.issuer'), issuer],
                [t('certificate.until'), date(notAfter)],
              ]}
            />
          )}
        </Queried>
      )}
      {open === 'store' && <StoreDialog id={id} onClose={close} />}
      {open === 'forget' && <ForgetDialog id={id} onClose={close} />}
    </Panel>
  )
}

function StoreDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('credentials-institutes')
  const [file, setFile] = useState<File>()
  const [password, setPassword] = useState('')
  const { attempt } = useAction(
    async () => storeCertificate(id, { content: await fileAsBase64(file!), password }),
    () => t('certificate.stored'),
  )
  return (
    <FormDialog
      title={t('certificate.store')}
      confirm={t('certificate.store')}
      ready={file !== undefined}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <FileField
        label={t('certificate.file')}
        accept=".p12,.pfx,application/x-pkcs12"
        chosen={file?.name}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <PasswordInput
        label={t('certificate.password')}
        autoComplete="off"
        maxLength={200}
        visibilityToggleButtonProps={{ 'aria-label': t('certificate.showPassword') }}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </FormDialog>
  )
}

function ForgetDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('credentials-institutes')
  const { attempt } = useAction(forgetCertificate, () => t('certificate.forgotten'))
  return (
    <ConfirmDialog
      title={t('certificate.forget')}
      confirm={t('certificate.forget')}
      danger
      onConfirm={() => attempt(id)}
      onClose={onClose}
    >
      {t('certificate.forgetText')}
    </ConfirmDialog>
  )
}

/** Whether two people are asked for, and how often lists are made. */
export function RegistryPanel({ id }: { id: string }) {
  const { t } = useTranslation('credentials-institutes')
  return (
    <Panel title={t('registry.title')}>
      <Queried query={useQuery(registrySettingsQuery(id))} lines={2}>
        {(stored) => <RegistryForm key={JSON.stringify(stored)} id={id} stored={stored} />}
      </Queried>
    </Panel>
  )
}

function RegistryForm({ id, stored }: { id: string; stored: RegistrySettings }) {
  const { t } = useTranslation(['credentials-institutes', 'credentials'])
  const [draft, setDraft] = useState(stored)
  const { run, busy } = useAction(
    () => putRegistrySettings(id, draft),
    () => t('registry.saved'),
  )
  return (
    <form
      className={classes.column}
      onSubmit={(event) => {
        event.preventDefault()
        void run(undefined)
      }}
    >
      <Switch
        label={t('registry.two')}
        checked={draft.requireTwoPeople}
        onChange={({ currentTarget }) => setDraft({ ...draft, requireTwoPeople: currentTarget.checked })}
      />
      <NumberInput
        label={t('registry.days')}
        className={classes.button!}
        min={4}
        max={365}
        hideControls
        value={draft.annulledListDays}
        onChange={(days) => setDraft({ ...draft, annulledListDays: Number(days) })}
      />
      <Button type="submit" className={classes.button!} loading={busy}>
        {t('credentials:save')}
      </Button>
    </form>
  )
}

/** The lists of annulled degrees of a registrar. */
export function AnnulledListsPanel({ id }: { id: string }) {
  const { t } = useTranslation('credentials-institutes')
  const { failed } = useNotices()
  const manages = useRights().may('lists.manage')
  const resource = `institutes/${id}/cancellation-lists`
  const { run, busy } = useAction(makeList, () => t('lists.made'))
  const columns: readonly Column<CancellationList>[] = [
    { key: 'number', title: t('lists.number'), isHeader: true, cell: ({ sequenceNumber }) => sequenceNumber },
    { key: 'state', title: t('lists.state'), cell: ({ status }) => t(`lists.status.${status}`) },
    { key: 'next', title: t('lists.next'), cell: ({ maximumNextUpdateDate }) => formatDay(maximumNextUpdateDate) },
    {
      key: 'file',
      title: t('lists.download'),
      quiet: true,
      cell: ({ id: listId, status, sequenceNumber }) =>
        status === 'Signed' && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('lists.downloadOf', { name: sequenceNumber })}
            onClick={() =>
              void save(`${addressOf(resource, listId)}/file`, `annulled-${sequenceNumber}.xml`).catch(failed)
            }
          >
            {t('lists.download')}
          </Button>
        ),
    },
  ]
  return (
    <Panel
      title={t('lists.title')}
      lead={t('lists.lead')}
      actions={
        manages && (
          <Button variant="default" size="xs" loading={busy} onClick={() => void run(id)}>
            {t('lists.make')}
          </Button>
        )
      }
    >
      <Queried query={useQuery(listQuery<CancellationList>(resource))} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={classes.quiet}>{t('lists.none')}</p>
          ) : (
            <DataTable caption={t('lists.title')} columns={columns} rows={items} rowKey={(row) => row.id} />
          )
        }
      </Queried>
    </Panel>
  )
}

/** What the ministry asked for. */
export function InspectionsPanel({ id }: { id: string }) {
  const { t } = useTranslation('credentials-institutes')
  const { failed } = useNotices()
  const manages = useRights().may('lists.manage')
  const resource = `institutes/${id}/inspection-files`
  const [asks, setAsks] = useState(false)
  const columns: readonly Column<InspectionFile>[] = [
    {
      key: 'period',
      title: t('inspections.period'),
      isHeader: true,
      cell: ({ startDate, endDate }) => `${formatDay(startDate)} – ${formatDay(endDate)}`,
    },
    { key: 'type', title: t('inspections.type'), cell: ({ type }) => t(`inspections.types.${type}`) },
    { key: 'count', title: t('inspections.degrees'), numeric: true, cell: (file) => file.inspectedDegreesNumber },
    {
      key: 'state',
      title: t('inspections.state'),
      cell: ({ status, details }) => (
        <>
          {t(`inspections.status.${status}`)}
          {details && <TechnicalDetail>{details}</TechnicalDetail>}
        </>
      ),
    },
    {
      key: 'file',
      title: t('lists.download'),
      quiet: true,
      cell: ({ id: fileId, status, startDate }) =>
        status === 'Signed' && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('lists.downloadOf', { name: formatDay(startDate) })}
            onClick={() =>
              void save(`${addressOf(resource, fileId)}/file`, `inspection-${startDate}.xml`).catch(failed)
            }
          >
            {t('lists.download')}
          </Button>
        ),
    },
  ]
  return (
    <Panel
      title={t('inspections.title')}
      lead={t('inspections.lead')}
      actions={
        manages && (
          <Button variant="default" size="xs" onClick={() => setAsks(true)}>
            {t('inspections.make')}
          </Button>
        )
      }
    >
      <Queried query={useQuery(listQuery<InspectionFile>(resource))} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={classes.quiet}>{t('inspections.none')}</p>
          ) : (
            <DataTable caption={t('inspections.title')} columns={columns} rows={items} rowKey={(row) => row.id} />
          )
        }
      </Queried>
      {asks && <InspectionDialog id={id} onClose={() => setAsks(false)} />}
    </Panel>
  )
}

function InspectionDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('credentials-institutes')
  const [draft, setDraft] = useState({ type: 'Issuer' as InspectionFile['type'], startDate: '', endDate: '' })
  const { attempt } = useAction(
    () => makeInspectionFile(id, draft),
    () => t('inspections.made'),
  )
  return (
    <FormDialog
      title={t('inspections.make')}
      confirm={t('inspections.confirm')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <NativeSelect
        label={t('inspections.type')}
        data={(['Issuer', 'Registrar'] as const).map((value) => ({ value, label: t(`inspections.types.${value}`) }))}
        value={draft.type}
        onChange={({ currentTarget }) => setDraft({ ...draft, type: currentTarget.value as InspectionFile['type'] })}
      />
      <TextInput
        type="date"
        label={t('inspections.from')}
        required
        value={draft.startDate}
        onChange={({ currentTarget }) => setDraft({ ...draft, startDate: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('inspections.to')}
        required
        value={draft.endDate}
        onChange={({ currentTarget }) => setDraft({ ...draft, endDate: currentTarget.value })}
      />
    </FormDialog>
  )
}
