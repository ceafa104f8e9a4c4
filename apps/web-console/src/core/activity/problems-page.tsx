import { TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import parts from '../../console/parts/parts.module.css'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { problemsQuery } from '../api/activity.ts'
import type { Problem } from '../api/types.ts'
import classes from '../parts/parts.module.css'
import { type ProblemFilters, problemFiltersFrom } from './activity-filters.ts'

/** Calls that failed inside the service: whoever was told an exceptionCode is found by it. */
export function ProblemsPage() {
  const { t } = useTranslation('core-activity')
  const filters = useSearch({ from: '/shell/problems' })
  const query = useInfiniteQuery(problemsQuery({ ...filters }))
  const found = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('problems.title')} lead={t('problems.lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={6}>
        {() =>
          found.length === 0 ? (
            <Nothing
              icon={TriangleAlert}
              title={t('problems.empty')}
              text={t('problems.emptyText')}
              narrowed={filters.exceptionCode !== undefined}
            />
          ) : (
            <ProblemsTable problems={found} />
          )
        }
      </Queried>
      <MoreButton query={query} />
    </>
  )
}

function Filters({ filters }: { filters: ProblemFilters }) {
  const { t } = useTranslation('core-activity')
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('problems.filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/problems', search: problemFiltersFrom(typed) })}
    >
      <TextInput
        name="exceptionCode"
        type="search"
        maxLength={200}
        spellCheck={false}
        label="exceptionCode"
        defaultValue={filters.exceptionCode ?? ''}
      />
    </FilterForm>
  )
}

function ProblemsTable({ problems }: { problems: readonly Problem[] }) {
  const { t } = useTranslation('core-activity')
  const { dateAndTime } = useFormats()
  const columns: readonly Column<Problem>[] = [
    {
      key: 'problem',
      title: t('problems.columns.problem'),
      isHeader: true,
      cell: ({ problem, detail }) => (
        <span className={parts.stack}>
          <code lang="en" className={classes.code}>
            {problem}
          </code>
          {detail && (
            <details>
              <summary>{t('problems.where')}</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long stack scrolls, by keyboard as well */}
              <pre lang="en" className={classes.trace} tabIndex={0}>
                {detail}
              </pre>
            </details>
          )}
        </span>
      ),
    },
    {
      key: 'path',
      title: t('problems.columns.path'),
      cell: ({ path }) => <code className={classes.code}>{path}</code>,
    },
    {
      key: 'code',
      title: 'exceptionCode',
      cell: ({ exceptionCode }) => <CopyButton text={exceptionCode} what="exceptionCode" />,
    },
    { key: 'at', title: t('problems.columns.at'), cell: ({ at }) => dateAndTime(at) },
  ]
  return <DataTable caption={t('problems.title')} columns={columns} rows={problems} rowKey={({ id }) => id} />
}
