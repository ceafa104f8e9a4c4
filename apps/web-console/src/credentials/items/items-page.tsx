import { NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FileCheck2, GraduationCap, type LucideIcon, Plus, ScrollText, Send, Stamp, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { Column } from '../../shared/parts/data-table.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import type { MadeResource } from '../api/forms.ts'
import type { Item } from '../api/types.ts'
import { InstituteFilter } from '../parts/institute-select.tsx'
import { useListSearch } from '../parts/list-search.ts'
import { ListView } from '../parts/list-view.tsx'
import classes from '../parts/parts.module.css'
import { IntakeButton } from './intake-dialog.tsx'
import { type ItemResource, itemKinds } from './item-kinds.ts'
import { StatusChip } from './status-chip.tsx'

const icons: Readonly<Record<ItemResource, LucideIcon>> = {
  degrees: ScrollText,
  emissions: Send,
  registrations: Stamp,
  'academic-transcripts': FileCheck2,
  curriculums: GraduationCap,
}

/** Degrees that the organization issues and registers. */
export const DegreesPage = () => <ItemsPage resource="degrees" add={<OneOrMany to="degrees" />} />

/** Degrees that another institution registers. */
export const EmissionsPage = () => <ItemsPage resource="emissions" add={<OneOrMany to="emissions" />} />

/** Requests that came to the registrars of the organization. */
export const RegistrationsPage = () => <ItemsPage resource="registrations" add={<IntakeButton />} />

export const TranscriptsPage = () => (
  <ItemsPage resource="academic-transcripts" add={<OneOrMany to="academic-transcripts" />} />
)

export const CurriculumsPage = () => <ItemsPage resource="curriculums" add={<NewItem to="curriculums" />} />

/** Made by typing, or imported. */
const OneOrMany = ({ to }: { to: MadeResource }) => (
  <>
    <ImportLink />
    <NewItem to={to} />
  </>
)

function ImportLink() {
  const { t } = useTranslation('credentials-batches')
  return (
    <LinkButton to="/batches/new" variant="default" leftSection={<Upload size={16} aria-hidden="true" />}>
      {t('new')}
    </LinkButton>
  )
}

function NewItem({ to }: { to: MadeResource }) {
  const { t } = useTranslation('credentials-items')
  return (
    <LinkButton to={`/${to}/new`} leftSection={<Plus size={16} aria-hidden="true" />}>
      {t(`kind.${to}.new`)}
    </LinkButton>
  )
}

function ItemsPage({ resource, add }: { resource: ItemResource; add?: ReactNode }) {
  const { t } = useTranslation(['credentials-items', 'credentials'])
  const { dateAndMinute } = useFormats()
  const columns: readonly Column<Item>[] = [
    {
      key: 'name',
      title: t(`kind.${resource}.column`),
      isHeader: true,
      cell: (item) => <Name resource={resource} item={item} />,
    },
    { key: 'course', title: t('course'), cell: ({ course }) => course },
    { key: 'ies', title: t('credentials:institute'), cell: ({ issuingIes, iesName }) => issuingIes ?? iesName ?? '–' },
    { key: 'status', title: t('state'), cell: ({ status }) => <StatusChip status={status} /> },
    { key: 'updated', title: t('credentials:updated'), cell: ({ updateDate }) => dateAndMinute(updateDate) },
  ]
  return (
    <>
      <PageHead title={t(`kind.${resource}.title`)} lead={t(`kind.${resource}.lead`)}>
        {add}
      </PageHead>
      <ListView
        resource={resource}
        caption={t(`kind.${resource}.title`)}
        columns={columns}
        filters={
          <>
            <StatusFilter resource={resource} />
            <InstituteFilter />
          </>
        }
        empty={{ icon: icons[resource], title: t(`kind.${resource}.empty`), text: t(`kind.${resource}.emptyText`) }}
      />
    </>
  )
}

/** The student, or the code of a curriculum. */
function Name({ resource, item }: { resource: ItemResource; item: Item }) {
  return (
    <span className={classes.stack}>
      <Link to={`/${resource}/$id`} params={{ id: item.id }}>
        {item.studentSocialName ?? item.studentName ?? item.code}
      </Link>
      {item.studentCpf && <span className={classes.small}>{formatTaxId(item.studentCpf)}</span>}
    </span>
  )
}

function StatusFilter({ resource }: { resource: ItemResource }) {
  const { t } = useTranslation(['credentials-items', 'credentials'])
  const { search } = useListSearch()
  return (
    <NativeSelect
      name="status"
      label={t('state')}
      defaultValue={search.status ?? ''}
      data={[
        { value: '', label: t('credentials:all') },
        ...itemKinds[resource].statuses.map((value) => ({ value, label: t(`status.${value}`) })),
      ]}
    />
  )
}
