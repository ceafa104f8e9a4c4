import { Link } from '@tanstack/react-router'
import { Plus, School } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import type { Column } from '../../shared/parts/data-table.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import type { Institute } from '../api/types.ts'
import { ListView } from '../parts/list-view.tsx'
import { useRights } from '../parts/rights.ts'

/** The institutions of the organization. */
export function InstitutesPage() {
  const { t } = useTranslation('credentials-institutes')
  const columns: readonly Column<Institute>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isHeader: true,
      cell: ({ id, name }) => (
        <Link to="/institutes/$id" params={{ id }}>
          {name}
        </Link>
      ),
    },
    { key: 'kind', title: t('columns.kind'), cell: ({ kind }) => t(`kind.${kind}`) },
    { key: 'code', title: t('columns.code'), cell: ({ code }) => code },
    { key: 'cnpj', title: t('columns.cnpj'), cell: ({ cnpj }) => formatTaxId(cnpj) },
    {
      key: 'place',
      title: t('columns.place'),
      cell: ({ data: { endereco } }) =>
        endereco.nomeMunicipioEstrangeiro ?? `${endereco.nomeMunicipio ?? ''}/${endereco.uf ?? ''}`,
    },
  ]
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <NewInstitute />
      </PageHead>
      <ListView
        resource="institutes"
        caption={t('title')}
        columns={columns}
        empty={{ icon: School, title: t('empty'), text: t('emptyText'), action: <NewInstitute /> }}
      />
    </>
  )
}

function NewInstitute() {
  const { t } = useTranslation('credentials-institutes')
  const { may } = useRights()
  if (!may('institutes.manage')) return null
  return (
    <LinkButton to="/institutes/new" leftSection={<Plus size={16} aria-hidden="true" />}>
      {t('new')}
    </LinkButton>
  )
}
