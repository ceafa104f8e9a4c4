import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, ScanFace, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { May } from '../../console/parts/may.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { deleteSubject, subjectsQuery } from '../api/sessions.ts'
import { type BioSubject, subjectStates } from '../api/types.ts'
import { SubscriptionFilter } from '../parts/subscription-select.tsx'
import { type SubjectFilters, subjectFiltersFrom } from './subject-filters.ts'

/** Persons whose faces are kept: since when, with which consent, and the end of it. */
export function SubjectsPage() {
  const { t } = useTranslation('core-subjects')
  const filters = useSearch({ from: '/shell/bio-subjects' })
  const query = useInfiniteQuery(subjectsQuery({ ...filters }))
  const [deleting, setDeleting] = useState<BioSubject>()
  const found = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={8}>
        {() =>
          found.length === 0 ? (
            <Nothing
              icon={ScanFace}
              title={t('empty')}
              text={t('emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <SubjectsTable subjects={found} onDelete={setDeleting} />
          )
        }
      </Queried>
      <MoreButton query={query} />
      {deleting && <DeleteDialog subject={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

function Filters({ filters }: { filters: SubjectFilters }) {
  const { t } = useTranslation(['core-subjects', 'console'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/bio-subjects', search: subjectFiltersFrom(typed) })}
    >
      <TextInput
        name="identifier"
        type="search"
        maxLength={256}
        spellCheck={false}
        label={t('identifier')}
        defaultValue={filters.identifier ?? ''}
      />
      <SubscriptionFilter subscriptionId={filters.subscriptionId} />
      <NativeSelect
        name="state"
        label={t('columns.state')}
        defaultValue={filters.state ?? ''}
        data={[
          { value: '', label: t('console:any') },
          ...subjectStates.map((value) => ({ value, label: t(`state.${value}`) })),
        ]}
      />
    </FilterForm>
  )
}

interface TableProps {
  subjects: readonly BioSubject[]
  onDelete: (subject: BioSubject) => void
}

function SubjectsTable({ subjects, onDelete }: TableProps) {
  const { t } = useTranslation(['core-subjects', 'core', 'console'])
  const { dateAndMinute } = useFormats()
  const when = (at: string | null | undefined) => (at ? dateAndMinute(at) : '–')
  const columns: readonly Column<BioSubject>[] = [
    {
      key: 'subject',
      title: t('columns.subject'),
      isHeader: true,
      cell: ({ id, identifier }) => (
        <span className={parts.stack}>
          <span>{identifier ?? t('nobody')}</span>
          <span className={parts.small}>{id}</span>
        </span>
      ),
    },
    { key: 'state', title: t('columns.state'), cell: (subject) => <SubjectChip subject={subject} /> },
    {
      key: 'subscription',
      title: t('core:subscription'),
      cell: ({ subscription }) => subscription.name || t('core:gone'),
    },
    {
      key: 'consent',
      title: t('columns.consent'),
      cell: ({ consent }) => (
        <span className={parts.stack}>
          <span>{when(consent?.date)}</span>
          {consent && <span className={parts.small}>{t('version', { version: consent.textVersion })}</span>}
        </span>
      ),
    },
    {
      key: 'enrolled',
      title: t('columns.enrolled'),
      cell: ({ enrolledAt, createdAt }) => when(enrolledAt ?? createdAt),
    },
    { key: 'deleted', title: t('columns.deleted'), cell: ({ deletedAt }) => when(deletedAt) },
    {
      key: 'actions',
      title: t('console:actions'),
      quiet: true,
      cell: (subject) =>
        subject.deletedAt === null && (
          <May right="bio-subjects.delete">
            <Button
              variant="default"
              size="xs"
              aria-label={t('deleteOf', { name: subject.identifier ?? subject.id })}
              onClick={() => onDelete(subject)}
            >
              {t('core:delete')}
            </Button>
          </May>
        ),
    },
  ]
  return <DataTable caption={t('title')} columns={columns} rows={subjects} rowKey={({ id }) => id} />
}

function SubjectChip({ subject: { deletedAt } }: { subject: BioSubject }) {
  const { t } = useTranslation('core-subjects')
  const state = deletedAt === null ? 'enrolled' : 'deleted'
  return (
    <Chip icon={deletedAt === null ? CircleCheck : Trash2} tone={deletedAt === null ? 'good' : 'idle'}>
      {t(`state.${state}`)}
    </Chip>
  )
}

function DeleteDialog({ subject: { id, identifier }, onClose }: { subject: BioSubject; onClose: () => void }) {
  const { t } = useTranslation(['core-subjects', 'core'])
  const { attempt } = useAction(
    () => deleteSubject(id),
    () => t('wasDeleted'),
  )
  return (
    <ConfirmDialog
      title={t('deleteOf', { name: identifier ?? id })}
      confirm={t('core:delete')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('deleteText')}
    </ConfirmDialog>
  )
}
